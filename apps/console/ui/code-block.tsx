import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './code-block.module.css'

/** Code to be copied; `<mark>` inside is what was filled in. */
export function CodeBlock(props: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className={styles['block']}>
      <pre>{props.children}</pre>
      <CopyButton text={props.text} className={styles['copy'] ?? ''}>
        Copy
      </CopyButton>
    </div>
  )
}
