import type { Metadata } from 'next'
import { goods } from '../../goods/goods.ts'
import { Shelf } from './shelf.tsx'

export const metadata: Metadata = { title: 'Everything' }

export default function Products() {
  return (
    <>
      <div className="page-head">
        <p className="eyebrow">The shelf</p>
        <h1>Everything we sell</h1>
        <p className="lead">All eight of them. There is no page two.</p>
      </div>
      <Shelf goods={goods} />
    </>
  )
}
