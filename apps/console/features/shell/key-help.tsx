'use client'

import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { KEY_HELP } from '../../ui/key-chords.ts'
import styles from './key-help.module.css'

/** Draws the list of keys (`?`), by the place where they act. */
export function KeyHelp(props: {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}) {
  return (
    <Dialog {...props} title="Keys" size="wide">
      <div className={styles['grid']}>
        {KEY_HELP.map((group) => (
          <section key={group.place}>
            <h3 className={styles['place']}>{group.place}</h3>
            <dl>
              {group.keys.map((row) => (
                <div key={row.does} className={styles['row']}>
                  <dt>{row.does}</dt>
                  <dd>
                    {row.keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
