'use client'

import {
  createContext,
  useContext,
  type AnchorHTMLAttributes,
  type ComponentType,
  type ReactNode,
  type Ref,
} from 'react'

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly href: string
  readonly replace?: boolean
  readonly scroll?: boolean
  readonly prefetch?: boolean | null
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLAnchorElement>
}

/** The router as `ui` and `features` see it, so that neither knows which framework draws them. */
export interface Navigation {
  readonly Link: ComponentType<LinkProps>
  readonly go: (href: string, options?: { replace?: boolean; scroll?: boolean }) => void
  /** Asks the server for the current page again, keeping the state of its components. */
  readonly refresh: () => void
  readonly prefetch: (href: string) => void
}

function PlainLink({ replace: _r, scroll: _s, prefetch: _p, ...rest }: LinkProps) {
  return <a {...rest}>{rest.children}</a>
}

/** Without a provider (the pages mode's whole documents) links are plain and navigation is hard. */
const plain: Navigation = {
  Link: PlainLink,
  go: (href, options) =>
    options?.replace === true ? location.replace(href) : location.assign(href),
  refresh: () => location.reload(),
  prefetch: () => {},
}

const NavigationContext = createContext<Navigation>(plain)

export const NavigationProvider = NavigationContext.Provider

export function useNavigation(): Navigation {
  return useContext(NavigationContext)
}

/** A link inside the console. */
export function Link(props: LinkProps) {
  const { Link: Anchor } = useNavigation()
  return <Anchor {...props} />
}
