'use client'

import Link from 'next/link'
import { countOf, useBasket } from '../goods/basket.ts'

const places = [
  ['/products', 'Everything'],
  ['/gift/first-home', 'Gift sets'],
  ['/journal', 'Journal'],
  ['/delivery', 'Delivery'],
] as const

/** Stands on every page of both router modes. */
export function Header() {
  const count = countOf(useBasket())
  return (
    <header className="header">
      <Link href="/" className="wordmark" aria-label="Halm, to the front page">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 22V9M12 14c-5 0-7-3-7-7 5 0 7 3 7 7zm0-3c0-5 2-8 7-8 0 5-2 8-7 8z" />
        </svg>
        Halm
      </Link>
      <nav aria-label="Shop">
        {places.map(([href, name]) => (
          <Link key={href} href={href} prefetch={false}>
            {name}
          </Link>
        ))}
      </nav>
      <Link href="/basket" className="basket-link" aria-label={`Basket, ${count} things`}>
        <span>Basket</span>
        <b>{count}</b>
      </Link>
    </header>
  )
}

export function Footer() {
  return (
    <footer className="footer">
      <p>
        <strong>Halm</strong> sells eight good things for the kitchen table. It is a demonstration:
        nothing here can be bought, and some of it is broken on purpose.
      </p>
      <p className="quiet">Drawn, priced and broken by hand.</p>
    </footer>
  )
}
