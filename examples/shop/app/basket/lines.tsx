'use client'

import Link from 'next/link'
import { useRef } from 'react'
import { setCount, useBasket } from '../../goods/basket.ts'
import { goodOf, priceText } from '../../goods/goods.ts'
import { Drawing } from '../../ui/drawing.tsx'

const settleMs = 8000

export function Lines() {
  const basket = useBasket()
  const pending = useRef<Record<string, ReturnType<typeof setTimeout>>>({})
  const lines = Object.entries(basket).flatMap(([slug, count]) => {
    const good = goodOf(slug)
    return good === null ? [] : [{ good, count }]
  })
  const total = lines.reduce((sum, { good, count }) => sum + good.price * count, 0)

  // Bug: a trap for furious clicks. It waits until the clicking has stopped, and then counts one.
  function more(slug: string, count: number): void {
    clearTimeout(pending.current[slug])
    pending.current[slug] = setTimeout(() => setCount(slug, count + 1), settleMs)
  }

  if (lines.length === 0) {
    return (
      <div className="panel">
        <p>Nothing yet. The shelf is this way.</p>
        <Link href="/products" className="button">
          See everything
        </Link>
      </div>
    )
  }
  return (
    <>
      <ul className="lines">
        {lines.map(({ good, count }) => (
          <li key={good.slug}>
            <div className={`tile tile-small tint-${good.tint}`}>
              <Drawing slug={good.slug} />
            </div>
            <div className="line-name">
              <Link href={`/products/${good.slug}`}>{good.name}</Link>
              <span className="quiet">{priceText(good.price)} each</span>
            </div>
            <div className="stepper" role="group" aria-label={`How many: ${good.name}`}>
              <button
                type="button"
                aria-label="One less"
                onClick={() => setCount(good.slug, count - 1)}
              >
                −
              </button>
              <output>{count}</output>
              <button type="button" aria-label="One more" onClick={() => more(good.slug, count)}>
                +
              </button>
            </div>
            <span className="price">{priceText(good.price * count)}</span>
          </li>
        ))}
      </ul>
      <div className="total">
        <span>Together</span>
        <strong className="price-large">{priceText(total)}</strong>
      </div>
      <div className="row row-end">
        <Link href="/products" className="link">
          Keep looking
        </Link>
        <Link href="/checkout" className="button">
          Check out
        </Link>
      </div>
    </>
  )
}
