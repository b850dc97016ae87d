import { NotFoundShown } from '@afterimage/next/not-found-shown'
import Link from 'next/link'

export default function NotFound() {
  return (
    <section className="narrow">
      <p className="eyebrow">404</p>
      <h1>That shelf is empty.</h1>
      <Link href="/products" className="button">
        See everything
      </Link>
      <NotFoundShown />
    </section>
  )
}
