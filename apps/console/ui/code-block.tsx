import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { ScrollArea } from './scroll-area.tsx'
import styles from './code-block.module.css'

/** Code to be copied; `<mark>` inside is what was filled in. */
export function CodeBlock(props: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className={styles['block']}>
      <ScrollArea as="pre" label="Code">
        {props.children}
      </ScrollArea>
      <CopyButton text={props.text} className={styles['copy'] ?? ''}>
        Copy
      </CopyButton>
    </div>
  )
}
