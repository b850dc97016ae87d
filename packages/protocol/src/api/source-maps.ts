/** An upload of scripts and source maps, as lists show it. */
export interface ApiArtifactBundle {
  readonly bundleId: string
  /** Empty for files that are found by debug id alone. */
  readonly associations: readonly { readonly release: string; readonly dist: string | null }[]
  readonly date: string
  readonly dateModified: string
  readonly fileCount: number
  /** Bytes of all files, uncompressed. */
  readonly size: number
  /** An archive, files sent one by one for a release, or files of the watched folder. */
  readonly origin: 'archive' | 'files' | 'folder'
  readonly state: 'assembling' | 'ok' | 'error'
  /** Why it failed; of one that is ok, what is wrong with single files. */
  readonly problems: readonly string[]
}

export interface ApiArtifactFile {
  readonly id: string
  readonly filePath: string
  /** A source, a minified script, a source map. */
  readonly fileType: 1 | 2 | 3
  /** Bytes, uncompressed. */
  readonly fileSize: number
  readonly debugId: string | null
  readonly sourcemap: string | null
}

/** An upload with a page of its files. */
export interface ApiArtifactBundleFiles extends ApiArtifactBundle {
  readonly files: readonly ApiArtifactFile[]
}
