import type { DatabaseSync } from 'node:sqlite'
import { NodeSqliteDialect } from '@better-auth/kysely-adapter/node-sqlite-dialect'

/** The embedded metadata store, as far as sign-in needs it. */
export interface SignInDatabase {
  readonly database: DatabaseSync
  exclusively<T>(body: () => Promise<T>): Promise<T>
}

/**
 * Lets better-auth use the metadata store's own connection, in turn with everyone else: its
 * statements run only while it holds the connection, so they never land in another's transaction.
 */
export class SharedSqliteDialect extends NodeSqliteDialect {
  readonly #shared: SignInDatabase

  constructor(shared: SignInDatabase) {
    super({ database: shared.database })
    this.#shared = shared
  }

  override createDriver(): ReturnType<NodeSqliteDialect['createDriver']> {
    const driver = super.createDriver()
    const { acquireConnection, releaseConnection } = driver
    const shared = this.#shared
    let release: (() => void) | null = null
    driver.acquireConnection = async () => {
      // The driver's own lock first: it lets one query in at a time.
      const connection = await acquireConnection.call(driver)
      const acquired = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      shared
        .exclusively(async () => {
          acquired.resolve()
          await released.promise
        })
        .catch(acquired.reject)
      try {
        await acquired.promise
      } catch (cause) {
        await releaseConnection.call(driver, connection)
        throw cause
      }
      release = released.resolve
      return connection
    }
    driver.releaseConnection = async (connection) => {
      release?.()
      release = null
      await releaseConnection.call(driver, connection)
    }
    // The connection belongs to the metadata store, which closes it.
    driver.destroy = async () => {}
    return driver
  }
}
