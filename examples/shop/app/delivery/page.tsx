import type { Metadata } from 'next'
import { NextPost } from './next-post.tsx'

export const metadata: Metadata = { title: 'Delivery' }

export default function Delivery() {
  return (
    <div className="narrow">
      <p className="eyebrow">Delivery</p>
      <h1>It leaves on Tuesdays and Fridays.</h1>
      <p className="lead">
        We pack in paper and straw, and carry the parcels to the post ourselves. Within Europe it
        takes three to six days, and costs nothing above 80 euros.
      </p>
      <NextPost />
    </div>
  )
}
