'use client'

import { useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import type { Player } from '../player/player.ts'
import { NoRows } from './no-rows.tsx'
import { outlineOf, type OutlineLine } from './dom-outline.ts'
import styles from './panels.module.css'

/** The recorded document at the moment of the cursor, as an outline; read anew when the cursor rests. */
export function DomPanel(props: { readonly player: Player }) {
  const { player } = props
  const [lines, setLines] = useState<readonly OutlineLine[]>([])
  useEffect(() => {
    const read = () => setLines(outlineOf(player.document()?.documentElement ?? null))
    read()
    return player.onRest(read)
  }, [player])
  if (lines.length === 0) return <NoRows isEmpty what="Document" />
  return (
    <>
      <div className={styles['filter']}>
        <span className={styles['grow']}>{lines.length} lines, as drawn now</span>
        <Button
          look="bare"
          onClick={() => setLines(outlineOf(player.document()?.documentElement ?? null))}
        >
          Read again
        </Button>
        <CopyButton
          look="bare"
          isIcon
          label="Copy the outline"
          text={() => lines.map((line) => '  '.repeat(line.depth) + line.text).join('\n')}
        />
      </div>
      <pre className={styles['outline']}>
        {lines.map((line, index) => (
          <div key={index} style={{ paddingLeft: Math.min(24, line.depth) * 12 }}>
            {line.text}
          </div>
        ))}
      </pre>
    </>
  )
}
