/**
 * A small tea shop with one honest bug: a voucher that was found may have no discount. How it is
 * watched stands in `window.watched`, put there before the page loads.
 */
import { priceSummary } from './price-summary.js'

const { Sentry, watched } = window

Sentry.init({
  dsn: watched.dsn,
  tunnel: watched.tunnel,
  release: watched.release,
  environment: 'production',
  tracesSampleRate: 1,
  replaysSessionSampleRate: watched.hasReplay ? 1 : 0,
  integrations: [
    Sentry.browserTracingIntegration(),
    ...(watched.hasReplay
      ? [
          Sentry.replayIntegration({
            maskAllText: false,
            maskAllInputs: true,
            minReplayDuration: 0,
          }),
        ]
      : []),
  ],
})
Sentry.setUser({ id: watched.user })

const teas = [
  { name: 'Sencha Fukamushi', price: 14.5, colour: '#8fae7b' },
  { name: 'Assam, malty', price: 11.2, colour: '#a8693f' },
  { name: 'Jasmine pearls', price: 18.9, colour: '#c9cfa2' },
  { name: 'Smoked souchong', price: 12.4, colour: '#5d4a40' },
]
const page = document.querySelector('#page')
let basket = []

function show(path, html) {
  if (location.pathname !== path) history.pushState({}, '', path)
  page.innerHTML = html
}

function showTeas() {
  const cards = teas.map(
    (tea, index) =>
      `<div class="tea"><div class="leaf" style="background:${tea.colour}"></div><b>${tea.name}</b>€${tea.price.toFixed(2)}<br>
       <button aria-label="Add ${tea.name}" data-add="${index}">Add to basket</button></div>`,
  )
  show('/teas', `<h1>This week’s teas</h1><div class="teas">${cards.join('')}</div>`)
}

async function showCheckout() {
  const lines = basket.map(
    (tea) =>
      `<div class="line"><i style="background:${tea.colour}"></i><span>${tea.name}</span>€${tea.price.toFixed(2)}</div>`,
  )
  show(
    '/checkout',
    `<h1>Checkout</h1><div class="checkout"><form class="fields">
      <label>Name<input name="name"></label><label>Street and number<input name="street"></label>
      <label>Postal code<input name="code"></label><label>City<input name="city"></label>
      <button class="primary" type="button">Pay now</button></form>
      <aside>${lines.join('')}
      <div class="voucher"><label>Voucher code<input name="voucher"></label>
      <button class="apply" aria-label="Apply voucher">Apply</button></div>
      <div class="total"><span>Total</span><span id="total">${priceSummary(basket, null)}</span></div></aside></div>`,
  )
  await fetch('/api/shipping-options')
}

async function applyVoucher() {
  const answer = await fetch('/api/voucher', { method: 'POST' })
  const voucher = await answer.json()
  if (voucher.discount === undefined) console.warn('voucher has no discount', voucher.code)
  const total = document.querySelector('#total')
  total.textContent = '€–.––'
  total.textContent = priceSummary(basket, voucher)
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button')
  if (button === null) return
  if (button.id === 'teas') showTeas()
  else if (button.id === 'basket') void showCheckout()
  else if (button.matches('.apply')) void applyVoucher()
  else if (button.dataset.add !== undefined) basket = [...basket, teas[Number(button.dataset.add)]]
})

window.finish = () => Sentry.getReplay()?.flush() ?? Sentry.flush(5000)
showTeas()
document.body.dataset.ready = 'true'
