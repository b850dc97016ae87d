/** The goods of the shop. Prices are in cents. */
export interface Good {
  readonly slug: string
  readonly name: string
  readonly maker: string
  readonly price: number
  readonly kind: 'Table' | 'Kitchen' | 'Light' | 'Cloth'
  readonly tint: 'clay' | 'sage' | 'sky' | 'straw' | 'plum'
  readonly line: string
  readonly story: string
  readonly facts: readonly (readonly [string, string])[]
}

export const goods: readonly Good[] = [
  {
    slug: 'morning-jug',
    name: 'Morning jug',
    maker: 'Ida Brandt',
    price: 4800,
    kind: 'Table',
    tint: 'clay',
    line: 'A litre of milk, coffee or tulips.',
    story:
      'Thrown on a kick wheel and glazed on the inside only, so that the hand feels the clay and the milk does not.',
    facts: [
      ['Holds', '1.1 litres'],
      ['Material', 'Stoneware, open foot'],
      ['Care', 'Dishwasher, upright'],
    ],
  },
  {
    slug: 'porridge-bowl',
    name: 'Porridge bowl',
    maker: 'Ida Brandt',
    price: 2600,
    kind: 'Table',
    tint: 'sage',
    line: 'Deep enough for a second helping.',
    story: 'The rim leans in a little, which keeps the last spoonful where a spoon can find it.',
    facts: [
      ['Across', '16 centimetres'],
      ['Material', 'Stoneware, ash glaze'],
      ['Care', 'Dishwasher'],
    ],
  },
  {
    slug: 'quiet-kettle',
    name: 'Quiet kettle',
    maker: 'Werk Nord',
    price: 12900,
    kind: 'Kitchen',
    tint: 'sky',
    line: 'Hums at 92 degrees, never whistles.',
    story: 'Enamel over steel, with a beech handle that stays cool while everything else does not.',
    facts: [
      ['Holds', '1.6 litres'],
      ['Material', 'Enamelled steel, beech'],
      ['Hobs', 'All of them'],
    ],
  },
  {
    slug: 'reading-lamp',
    name: 'Reading lamp',
    maker: 'Atelier Sol',
    price: 16400,
    kind: 'Light',
    tint: 'straw',
    line: 'Warm light for one page at a time.',
    story: 'A spun shade on a bent arm. It lights the book and lets the rest of the room sleep.',
    facts: [
      ['Height', '44 centimetres'],
      ['Material', 'Spun steel, oak'],
      ['Bulb', 'E27, included'],
    ],
  },
  {
    slug: 'bread-board',
    name: 'Bread board',
    maker: 'Holm & Son',
    price: 5400,
    kind: 'Kitchen',
    tint: 'straw',
    line: 'One plank, oiled twice, no glue.',
    story: 'Cut from a single board of elm. The groove is for crumbs; the hole is for the hook.',
    facts: [
      ['Size', '42 by 22 centimetres'],
      ['Material', 'Elm, linseed oil'],
      ['Care', 'A damp cloth'],
    ],
  },
  {
    slug: 'linen-cloth',
    name: 'Linen cloth',
    maker: 'Väv Sex',
    price: 3200,
    kind: 'Cloth',
    tint: 'plum',
    line: 'Dries glasses, wraps loaves, ages well.',
    story:
      'Woven half-bleached with a plum stripe. It gets softer every time it forgets itself in the wash.',
    facts: [
      ['Size', '50 by 70 centimetres'],
      ['Material', 'Linen, 260 grams'],
      ['Care', 'Hot, no softener'],
    ],
  },
  {
    slug: 'evening-candle',
    name: 'Evening candle',
    maker: 'Bivax',
    price: 1800,
    kind: 'Light',
    tint: 'clay',
    line: 'Beeswax, nine hours, no perfume.',
    story: 'Dipped thirty times. It smells of what it is, faintly, and only when you lean in.',
    facts: [
      ['Burns', '9 hours'],
      ['Material', 'Beeswax, cotton'],
      ['Comes as', 'A pair'],
    ],
  },
  {
    slug: 'stem-vase',
    name: 'Stem vase',
    maker: 'Glashaus',
    price: 3900,
    kind: 'Table',
    tint: 'sky',
    line: 'For the one branch you brought home.',
    story: 'Mouth-blown with a heavy foot. It takes a twig as seriously as a bouquet.',
    facts: [
      ['Height', '21 centimetres'],
      ['Material', 'Blown glass'],
      ['Care', 'A bottle brush'],
    ],
  },
]

export function goodOf(slug: string): Good | null {
  return goods.find((good) => good.slug === slug) ?? null
}

/** Cents as people write them. */
export function priceText(cents: number): string {
  return new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' }).format(cents / 100)
}
