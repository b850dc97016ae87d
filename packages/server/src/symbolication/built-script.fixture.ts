import { transformSync } from 'esbuild'

/** A script as a bundler makes it: minified, with its map. */
export interface BuiltScript {
  readonly script: string
  readonly map: string
}

export const cartSource = `
export class Cart {
  #items: { price: number }[] = []
  add(item: { price: number }) {
    if (!item) throw new TypeError('an item is missing')
    this.#items.push(item)
  }
  total = () => this.#items.reduce((sum, item) => sum + item.price, 0)
}
export function checkout(cart: Cart): number {
  const payment = (amount: number): number => {
    if (amount > 100) throw new RangeError('the amount is too large')
    return amount
  }
  return payment(cart.total()) + payment(1)
}
`

/** Minifies a source and maps it back. */
export function buildScript(source = cartSource, sourcefile = 'src/cart.ts'): BuiltScript {
  const { code, map } = transformSync(source, {
    loader: 'ts',
    minify: true,
    format: 'esm',
    sourcemap: true,
    sourcefile,
  })
  return { script: code, map }
}

/** Finds a text in a script; line and column from 0. */
export function placeOf(script: string, text: string): { line: number; column: number } {
  const offset = script.indexOf(text)
  if (offset < 0) throw new Error(`"${text}" is not in the script`)
  const before = script.slice(0, offset).split('\n')
  return { line: before.length - 1, column: before.at(-1)!.length }
}
