import Link from 'next/link'
import { goods } from '../goods/goods.ts'
import { Drawing } from '../ui/drawing.tsx'
import { GoodCard } from '../ui/good-card.tsx'

const still = ['stem-vase', 'morning-jug', 'porridge-bowl'] as const

export default function Front() {
  return (
    <>
      <section className="hero">
        <div className="hero-words">
          <p className="eyebrow">Autumn, at the table</p>
          <h1>Eight good things, and nothing else.</h1>
          <p className="lead">
            Jugs, bowls and lamps by people who sign their work. We carry what we use ourselves, and
            we stop at eight.
          </p>
          <div className="row">
            <Link href="/products" className="button">
              See all eight
            </Link>
            <Link href="/journal" prefetch={false} className="link">
              Who makes them
            </Link>
          </div>
        </div>
        <div className="still" aria-hidden="true">
          <div className="still-sun" />
          <div className="still-table" />
          {still.map((slug, index) => (
            <div
              key={slug}
              className={`still-item still-${index} tint-${['sky', 'clay', 'sage'][index]}`}
            >
              <Drawing slug={slug} />
            </div>
          ))}
        </div>
      </section>
      <section>
        <div className="section-head">
          <h2>New on the shelf</h2>
          <Link href="/products" prefetch={false} className="link">
            All of them
          </Link>
        </div>
        <div className="grid">
          {goods.slice(2, 6).map((good) => (
            <GoodCard key={good.slug} good={good} />
          ))}
        </div>
      </section>
      <section className="promise">
        {[
          ['Signed', 'Every maker is named, paid first, and answers letters.'],
          ['Mended', 'Chips and cracks come back for free, for as long as we are here.'],
          ['Unhurried', 'Orders leave on Tuesdays and Fridays. Nothing needs to be here tomorrow.'],
        ].map(([title, text]) => (
          <div key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
        ))}
      </section>
    </>
  )
}
