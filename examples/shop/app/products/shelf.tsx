'use client'

import { useState } from 'react'
import type { Good } from '../../goods/goods.ts'
import { GoodCard } from '../../ui/good-card.tsx'

const kinds = ['All', 'Table', 'Kitchen', 'Light', 'Cloth'] as const

export function Shelf({ goods }: { readonly goods: readonly Good[] }) {
  const [kind, setKind] = useState<(typeof kinds)[number]>('All')
  const shown = goods.filter((good) => kind === 'All' || good.kind === kind)
  return (
    <>
      <div className="chips" role="group" aria-label="Kind">
        {kinds.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === kind}
            onClick={() => setKind(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div className="grid">
        {shown.map((good) => (
          <GoodCard key={good.slug} good={good} />
        ))}
      </div>
    </>
  )
}
