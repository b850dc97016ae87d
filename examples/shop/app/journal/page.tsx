import type { Metadata } from 'next'
import { Notes } from './notes.tsx'

export const metadata: Metadata = { title: 'Journal' }

export default function Journal() {
  return (
    <div className="narrow">
      <p className="eyebrow">Journal</p>
      <h1>Notes from the makers</h1>
      <p className="lead">We ask everyone how the week went, and print what they say.</p>
      <Notes />
    </div>
  )
}
