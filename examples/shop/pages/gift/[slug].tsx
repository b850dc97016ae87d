import type { GetStaticPaths, GetStaticProps } from 'next'
import Head from 'next/head'
import { useRouter } from 'next/router'
import Link from 'next/link'
import { goodOf, priceText } from '../../goods/goods.ts'
import { Drawing } from '../../ui/drawing.tsx'

interface Gift {
  readonly name: string
  readonly line: string
  readonly slugs: readonly string[]
}

const gifts: Readonly<Record<string, Gift>> = {
  'first-home': {
    name: 'For a first home',
    line: 'A jug, a bowl and a board: breakfast can begin.',
    slugs: ['morning-jug', 'porridge-bowl', 'bread-board'],
  },
  'long-winter': {
    name: 'For a long winter',
    line: 'A lamp, a kettle and a pair of candles.',
    slugs: ['reading-lamp', 'quiet-kettle', 'evening-candle'],
  },
}

/** Other sets than the first are made when somebody asks for them. */
export const getStaticPaths: GetStaticPaths = () => ({
  paths: [{ params: { slug: 'first-home' } }],
  fallback: true,
})

export const getStaticProps: GetStaticProps<{ gift: Gift }> = ({ params }) => {
  const slug = String(params?.slug)
  // Bug: one set is still listed by the supplier, and its parts are not.
  if (slug === 'spring-cleaning') throw new Error('The set "spring-cleaning" has no parts')
  const gift = gifts[slug]
  return gift === undefined ? { notFound: true } : { props: { gift } }
}

export default function GiftSet({ gift }: { readonly gift?: Gift }) {
  const { isFallback } = useRouter()
  if (isFallback || gift === undefined) {
    return (
      <div className="narrow narrow-wide" aria-busy="true">
        <p className="eyebrow">Gift set</p>
        <h1>Laying it out …</h1>
        <div className="set set-empty">
          {[0, 1, 2].map((place) => (
            <div key={place} className="tile" />
          ))}
        </div>
      </div>
    )
  }
  const parts = gift.slugs.flatMap((slug) => goodOf(slug) ?? [])
  return (
    <div className="narrow narrow-wide">
      <Head>
        <title>{`${gift.name} · Halm`}</title>
      </Head>
      <p className="eyebrow">Gift set</p>
      <h1>{gift.name}</h1>
      <p className="lead">{gift.line}</p>
      <div className="set">
        {parts.map((good) => (
          <Link key={good.slug} href={`/products/${good.slug}`} className="card">
            <div className={`tile tint-${good.tint}`}>
              <Drawing slug={good.slug} />
            </div>
            <h3>{good.name}</h3>
          </Link>
        ))}
      </div>
      <div className="total">
        <span>Together, wrapped</span>
        <strong className="price-large">
          {priceText(parts.reduce((sum, good) => sum + good.price, 0))}
        </strong>
      </div>
      <p className="row">
        {Object.entries(gifts).map(([slug, { name }]) => (
          <Link key={slug} href={`/gift/${slug}`} prefetch={false} className="link">
            {name}
          </Link>
        ))}
      </p>
    </div>
  )
}
