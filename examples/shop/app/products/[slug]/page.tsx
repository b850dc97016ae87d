import { notFound } from 'next/navigation'
import { goodOf, goods, priceText } from '../../../goods/goods.ts'
import { Drawing } from '../../../ui/drawing.tsx'
import { GoodCard } from '../../../ui/good-card.tsx'
import { Order } from './order.tsx'

interface Props {
  readonly params: Promise<{ slug: string }>
}

export async function generateMetadata({ params }: Props) {
  const { slug } = await params
  return { title: goodOf(slug)?.name ?? 'Not here' }
}

export default async function Product({ params }: Props) {
  const { slug } = await params
  const good = goodOf(slug)
  if (good === null) notFound()
  return (
    <>
      <section className="product">
        <div className={`tile tile-large tint-${good.tint}`}>
          <Drawing slug={good.slug} label={`Drawing of the ${good.name.toLowerCase()}`} />
        </div>
        <div className="product-words">
          <p className="eyebrow">
            {good.kind} · by {good.maker}
          </p>
          <h1>{good.name}</h1>
          <p className="price price-large">{priceText(good.price)}</p>
          <p className="lead">{good.story}</p>
          <Order slug={good.slug} />
          <dl className="facts">
            {good.facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </section>
      <section>
        <div className="section-head">
          <h2>Stands well beside</h2>
        </div>
        <div className="grid">
          {goods
            .filter((other) => other.slug !== good.slug)
            .slice(0, 4)
            .map((other) => (
              <GoodCard key={other.slug} good={other} />
            ))}
        </div>
      </section>
    </>
  )
}
