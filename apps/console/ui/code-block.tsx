import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './code-block.module.css'

/** Code to be copied; `<mark>` inside is what was filled in. */
export function CodeBlock(props: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className={styles['block']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it may be wider than the page: then the keyboard must be able to move it */}
      <pre tabIndex={0} role="group" aria-label="Code">
        {props.children}
      </pre>
      <CopyButton text={props.text} className={styles['copy'] ?? ''}>
        Copy
      </CopyButton>
    </div>
  )
}
