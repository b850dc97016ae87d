import type { ReactNode } from 'react'
import { Mark } from '../../ui/logo.tsx'
import styles from './account.module.css'

/** Sign-in and set-up: the disc and its after-image at the left, a form at the right. */
export function AccountFrame(props: {
  readonly title: string
  readonly place: string
  readonly children: ReactNode
}) {
  return (
    <main className={styles['page']}>
      <section className={styles['art']}>
        <div className={styles['brand']}>
          <Mark />
          Afterimage
        </div>
        <Picture />
        <p className={styles['line']}>The seconds before every error, on your own domain.</p>
      </section>
      <section className={styles['side']}>
        <div className={styles['form']}>
          <h1 className={styles['title']}>{props.title}</h1>
          <p className={styles['place']}>{props.place}</p>
          {props.children}
        </div>
      </section>
    </main>
  )
}

function Picture() {
  return (
    <div className={styles['picture']}>
      <svg
        viewBox="18 0 580 320"
        width="100%"
        role="img"
        aria-label="An orange disc, and its cyan after-image"
      >
        <defs>
          <radialGradient id="after-image">
            <stop offset="0" stopColor="var(--after)" stopOpacity=".34" />
            <stop offset=".62" stopColor="var(--after)" stopOpacity=".3" />
            <stop offset=".84" stopColor="var(--after)" stopOpacity=".13" />
            <stop offset="1" stopColor="var(--after)" stopOpacity="0" />
          </radialGradient>
        </defs>
        <circle cx="434" cy="160" r="150" fill="url(#after-image)" />
        <circle cx="150" cy="160" r="132" fill="var(--now)" />
        <circle cx="150" cy="160" r="2.5" fill="var(--ink-on)" />
        <circle cx="434" cy="160" r="2.5" fill="var(--ink-3)" />
      </svg>
    </div>
  )
}
