/**
 * Reads the scopes that a map brings: a list of items, each a tag and numbers in base64, which draw the
 * trees of original scopes and of ranges of the script. Only the names of functions are kept.
 * @see https://tc39.es/ecma426/ (proposal “Scopes”)
 */
import type { FunctionName } from './function-names.ts'
import { nameCharsMax, scriptLinesMax } from './limits.ts'

const ORIGINAL_SCOPE_START = 1
const ORIGINAL_SCOPE_END = 2
const GENERATED_RANGE_START = 4
const GENERATED_RANGE_END = 5

const HAS_NAME = 1
const IS_STACK_FRAME = 4
const HAS_LINE = 1
const HAS_DEFINITION = 2

/** Returns from which position on which function is the innermost; items that cannot be are left out. */
export function decodeScopes(scopes: string, names: readonly string[]): readonly FunctionName[] {
  const originals = new OriginalScopes(names)
  const ranges = new Ranges()
  for (const item of scopes.split(',')) {
    const [tag, ...numbers] = readNumbers(item)
    if (tag === ORIGINAL_SCOPE_START) originals.start(numbers)
    else if (tag === ORIGINAL_SCOPE_END) originals.end()
    else if (tag === GENERATED_RANGE_START) ranges.start(numbers, originals)
    else if (tag === GENERATED_RANGE_END) ranges.end(numbers)
  }
  return ranges.rows
}

/** The name of the function around each original scope, in the order in which the scopes begin. */
class OriginalScopes {
  readonly functionNames: (string | null)[] = []
  readonly #names: readonly string[]
  readonly #open: (string | null)[] = []
  #name = 0

  constructor(names: readonly string[]) {
    this.#names = names
  }

  start([flags = 0, , , name = 0]: readonly number[]): void {
    if ((flags & HAS_NAME) !== 0) this.#name += signed(name)
    const own = (flags & HAS_NAME) === 0 ? null : (this.#names[this.#name] ?? null)
    const isFunction = (flags & IS_STACK_FRAME) !== 0
    const named = isFunction ? (own?.slice(0, nameCharsMax) ?? null) : (this.#open.at(-1) ?? null)
    this.#open.push(named)
    this.functionNames.push(named)
  }

  end(): void {
    this.#open.pop()
  }
}

class Ranges {
  readonly rows: FunctionName[] = []
  readonly #open: (string | null)[] = []
  #line = 0
  #column = 0
  #definition = 0

  start([flags = 0, ...numbers]: readonly number[], { functionNames }: OriginalScopes): void {
    const hasLine = (flags & HAS_LINE) !== 0
    this.#move(hasLine ? numbers[0] : 0, numbers[hasLine ? 1 : 0])
    let name = this.#open.at(-1) ?? null
    if ((flags & HAS_DEFINITION) !== 0) {
      this.#definition += signed(numbers[hasLine ? 2 : 1] ?? 0)
      name = functionNames[this.#definition] ?? null
    }
    this.#open.push(name)
    this.#put(name)
  }

  end(numbers: readonly number[]): void {
    this.#move(numbers.length > 1 ? numbers[0] : 0, numbers.length > 1 ? numbers[1] : numbers[0])
    this.#open.pop()
    this.#put(this.#open.at(-1) ?? null)
  }

  #move(lines = 0, column = 0): void {
    this.#line += lines
    this.#column = lines === 0 ? this.#column + column : column
  }

  #put(name: string | null): void {
    const { line, column } = { line: this.#line, column: this.#column }
    if (line > scriptLinesMax || column > 0x7fff_ffff) return
    const last = this.rows.at(-1)
    if (last?.line === line && last.column === column) this.rows.pop()
    this.rows.push({ line, column, name })
  }
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Reads the numbers of an item: five bits in a digit, the lowest first, the sixth bit for more to come. */
function readNumbers(item: string): number[] {
  const numbers: number[] = []
  let value = 0
  let scale = 1
  for (const digit of item) {
    const bits = Math.max(digits.indexOf(digit), 0)
    value += (bits & 31) * scale
    scale *= 32
    if (bits > 31) continue
    numbers.push(value)
    value = 0
    scale = 1
  }
  return numbers
}

/** The lowest bit of a signed number is its sign. */
function signed(number: number): number {
  const half = Math.floor(number / 2)
  return number % 2 === 1 ? -half : half
}
