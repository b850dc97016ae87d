import Link from 'next/link'
import { priceText, type Good } from '../goods/goods.ts'
import { Drawing } from './drawing.tsx'

/** One thing in a list. */
export function GoodCard({ good }: { readonly good: Good }) {
  return (
    <Link href={`/products/${good.slug}`} prefetch={false} className="card">
      <div className={`tile tint-${good.tint}`}>
        <Drawing slug={good.slug} />
      </div>
      <div className="card-words">
        <h3>{good.name}</h3>
        <span className="price">{priceText(good.price)}</span>
        <p>{good.line}</p>
      </div>
    </Link>
  )
}
