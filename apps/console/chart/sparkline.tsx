import styles from './sparkline.module.css'

/** Events over time in 24px of height. The last bar is the current one. Empty buckets are a line. */
export function Sparkline(props: {
  readonly values: readonly number[]
  readonly label: string
  readonly width?: number
  readonly height?: number
}) {
  const width = props.width ?? 144
  const height = props.height ?? 24
  const most = Math.max(1, ...props.values)
  const step = width / Math.max(1, props.values.length)
  return (
    <svg
      className={styles['bars']}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={props.label}
    >
      {props.values.map((value, index) => {
        const bar = value === 0 ? 1 : Math.max(2, (value / most) * (height - 2))
        const isLast = index === props.values.length - 1
        return (
          <rect
            key={index}
            x={(index * step).toFixed(2)}
            y={(height - bar).toFixed(2)}
            width={Math.max(1, step - 1.2).toFixed(2)}
            height={bar.toFixed(2)}
            className={value === 0 ? styles['none'] : isLast ? styles['now'] : undefined}
          />
        )
      })}
    </svg>
  )
}
