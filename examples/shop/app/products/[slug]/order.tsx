'use client'

import { useState } from 'react'
import { addToBasket } from '../../../goods/basket.ts'

interface Stock {
  readonly count: number
  readonly shelf: { readonly name: string }
}

export function Order({ slug }: { readonly slug: string }) {
  const [said, setSaid] = useState('')

  // Bug: an answer that is an error has no shelf, and nobody looks whether it is one. Not by
  // `response.json()`: Chromium tells no page of a rejection that it makes itself after a wait.
  async function askStock(): Promise<void> {
    setSaid('Asking the shelf …')
    const response = await fetch(`/api/stock/${slug}`)
    const stock = JSON.parse(await response.text()) as Stock
    setSaid(`${stock.count} on shelf ${stock.shelf.name}.`)
  }

  return (
    <div className="order">
      <div className="row">
        <button
          type="button"
          className="button"
          onClick={() => {
            addToBasket(slug)
            setSaid('It is in your basket.')
          }}
        >
          Add to basket
        </button>
        {/* Bug: a dead button. It was to remember things for later, and nobody wrote that. */}
        <button type="button" className="button button-quiet">
          Keep for later
        </button>
      </div>
      <button type="button" className="link" onClick={() => void askStock()}>
        How many are left?
      </button>
      <p className="said" role="status">
        {said}
      </p>
    </div>
  )
}
