import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classes } from './classes.ts'
import { Link, type LinkProps } from './navigation.tsx'
import styles from './button.module.css'

interface Look {
  /** `ink` is the one primary action of its place; `bare` has no frame until it is touched. */
  readonly look?: 'plain' | 'ink' | 'bare' | 'danger' | undefined
  readonly size?: 'normal' | 'field' | 'large' | 'tall' | undefined
  /** Only an icon: give an `aria-label`. */
  readonly isIcon?: boolean | undefined
  readonly isWide?: boolean | undefined
  /** 40px on a phone, where a thumb presses it. */
  readonly isThumb?: boolean | undefined
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  readonly ref?: Ref<HTMLButtonElement>
}

/** The class of a button, for elements that are drawn by someone else (a menu's trigger). */
export function buttonClass(look: Look, className?: string): string {
  return classes(
    styles['button'],
    look.look === 'ink' && styles['ink'],
    look.look === 'bare' && styles['bare'],
    look.look === 'danger' && styles['danger'],
    look.size === 'large' && styles['large'],
    look.size === 'tall' && styles['tall'],
    look.size === 'field' && styles['field'],
    look.isIcon === true && styles['icon'],
    look.isWide === true && styles['wide'],
    look.isThumb === true && styles['thumb'],
    className,
  )
}

export function Button({
  look,
  size,
  isIcon,
  isWide,
  isThumb,
  className,
  type,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type ?? 'button'}
      className={buttonClass({ look, size, isIcon, isWide, isThumb }, className)}
      {...rest}
    />
  )
}

export function ButtonLink({
  look,
  size,
  isIcon,
  isWide,
  isThumb,
  className,
  ...rest
}: LinkProps & Look) {
  return (
    <Link className={buttonClass({ look, size, isIcon, isWide, isThumb }, className)} {...rest} />
  )
}

/** An action and the menu of its other forms, with one seam between them. */
export function SplitButton(props: { readonly children: ReactNode; readonly className?: string }) {
  return <span className={classes(styles['split'], props.className)}>{props.children}</span>
}
