import type { Metadata } from 'next'
import { Lines } from './lines.tsx'

export const metadata: Metadata = { title: 'Basket' }

export default function BasketPage() {
  return (
    <div className="narrow narrow-wide">
      <p className="eyebrow">Basket</p>
      <h1>What you picked</h1>
      <Lines />
    </div>
  )
}
