import type { Metadata } from 'next'
import { CheckoutForm } from './checkout-form.tsx'

export const metadata: Metadata = { title: 'Check out' }

export default function Checkout() {
  return (
    <div className="narrow narrow-wide">
      <p className="eyebrow">Check out</p>
      <h1>Where shall it go?</h1>
      <CheckoutForm />
    </div>
  )
}
