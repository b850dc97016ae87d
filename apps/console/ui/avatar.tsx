import { Plus } from 'lucide-react'
import { classes } from './classes.ts'
import styles from './avatar.module.css'

/** "Mara Lindqvist" is ML; one word gives its first two letters. */
export function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s@._-]+/)
    .filter((word) => word !== '')
  const letters =
    words.length > 1
      ? `${words[0]?.[0] ?? ''}${words[1]?.[0] ?? ''}`
      : (words[0] ?? '?').slice(0, 2)
  return letters.toUpperCase()
}

/** A person as two letters; without a name, the dashed ring of nobody. */
export function Avatar(props: { readonly name: string | null; readonly size?: number }) {
  const size = props.size === undefined ? {} : { width: props.size, height: props.size }
  if (props.name === null) {
    return (
      <span className={classes(styles['avatar'], styles['none'])} style={size} title="Unassigned">
        <Plus size={10} aria-hidden />
        <span className="visually-hidden">Unassigned</span>
      </span>
    )
  }
  return (
    <span className={styles['avatar']} style={size} title={props.name}>
      <span aria-hidden>{initials(props.name)}</span>
      <span className="visually-hidden">{props.name}</span>
    </span>
  )
}
