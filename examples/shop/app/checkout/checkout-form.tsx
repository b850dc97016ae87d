'use client'

import { useRouter } from 'next/navigation'
import { useState, type FormEvent } from 'react'
import { emptyBasket, useBasket } from '../../goods/basket.ts'
import { goodOf, priceText } from '../../goods/goods.ts'

interface Address {
  readonly street: string
  readonly town: string
}

interface Order {
  readonly name: string
  /** Null for what is picked up. */
  readonly address: Address | null
}

export function CheckoutForm() {
  const router = useRouter()
  const basket = useBasket()
  const [way, setWay] = useState<'post' | 'pickup'>('post')
  const total = Object.entries(basket).reduce(
    (sum, [slug, count]) => sum + (goodOf(slug)?.price ?? 0) * count,
    0,
  )

  function placeOrder(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string): string => String(form.get(name) ?? '')
    const number = orderNumber({
      name: text('name'),
      address: way === 'post' ? { street: text('street'), town: text('town') } : null,
    })
    emptyBasket()
    router.push(`/receipt/${number}`)
  }

  return (
    <form className="checkout" onSubmit={placeOrder}>
      <fieldset>
        <legend>How</legend>
        <div className="chips" role="group" aria-label="How">
          <button type="button" aria-pressed={way === 'post'} onClick={() => setWay('post')}>
            By post
          </button>
          <button type="button" aria-pressed={way === 'pickup'} onClick={() => setWay('pickup')}>
            I pick it up
          </button>
        </div>
      </fieldset>
      <label>
        Name
        <input name="name" autoComplete="name" required />
      </label>
      {way === 'post' && (
        <div className="two">
          <label>
            Street
            <input name="street" autoComplete="street-address" required />
          </label>
          <label>
            Town
            <input name="town" autoComplete="address-level2" required />
          </label>
        </div>
      )}
      <label>
        Card number
        <input
          name="card"
          autoComplete="cc-number"
          inputMode="numeric"
          placeholder="0000 0000 0000 0000"
        />
      </label>
      <div className="total">
        <span>To pay</span>
        <strong className="price-large">{priceText(total)}</strong>
      </div>
      <button type="submit" className="button button-wide">
        Place the order
      </button>
      <p className="quiet">Nothing is charged and nothing is sent: this shop is a demonstration.</p>
    </form>
  )
}

/** Bug: a crash. An order that is picked up has no address, and its number is made of one. */
function orderNumber({ name, address }: Order): string {
  const town = (address as Address).town.trim().slice(0, 2).toUpperCase()
  return `${town}-${name.length}${Date.now().toString(36).slice(-5)}`.replaceAll(/[^\w-]/g, 'X')
}
