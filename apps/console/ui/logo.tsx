/** The disc and its after-image. Decoration: the word beside it is the name. */
export function Mark(props: { readonly height?: number }) {
  const height = props.height ?? 18
  return (
    <svg width={height * 1.2} height={height} viewBox="0 0 24 20" aria-hidden="true">
      <circle cx="14.5" cy="10" r="7.25" fill="none" stroke="var(--after)" strokeWidth="1.5" />
      <circle cx="9" cy="10" r="7.5" fill="var(--now)" />
    </svg>
  )
}
