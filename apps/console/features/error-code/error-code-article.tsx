import { errorCodes, type ErrorCodeText } from '@afterimage/protocol/error-codes'
import { Link } from '../../ui/navigation.tsx'
import { Bone, Loading } from '../../ui/skeleton.tsx'
import styles from './error-code.module.css'

/** Explains an error code and its remedy. `text` is null while it loads. */
export function ErrorCodeArticle(props: {
  readonly code: string
  readonly text: ErrorCodeText | null
}) {
  const { code, text } = props
  return (
    <main className={styles['page']}>
      <p className={styles['kicker']}>
        <code>{code}</code>
        {text === null ? null : <span>answered with {text.status}</span>}
      </p>
      {text === null ? (
        <div className={styles['waiting']} aria-busy="true">
          <Loading what="the error code" />
          <Bone width="60%" height={24} />
          <Bone width="40%" height={12} />
        </div>
      ) : (
        <>
          <h1>{text.meaning}</h1>
          <p className={styles['advice']}>{text.advice}</p>
        </>
      )}
      <nav aria-label="All error codes">
        <ul className={styles['codes']}>
          {Object.keys(errorCodes).map((other) => (
            <li key={other}>
              <Link
                href={`/errors/${other}`}
                prefetch={false}
                aria-current={other === code ? 'page' : undefined}
              >
                <code>{other}</code>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </main>
  )
}
