import type { ApiRequest } from '../api/context.ts'
import { ApiProblem, badRequest } from '../api/problem.ts'
import { UPLOAD_BODY_BYTES_MAX } from './limits.ts'
import { UnusableUpload } from './unusable-upload.ts'

/** Reads a form with files; the front door has held its size. @throws ApiProblem 400 or 413 */
export async function readUploadForm(c: ApiRequest): Promise<FormData> {
  if (Number(c.req.header('content-length') ?? 0) > UPLOAD_BODY_BYTES_MAX) {
    throw new ApiProblem(413, `The body has more than ${UPLOAD_BODY_BYTES_MAX} bytes.`)
  }
  try {
    return await c.req.raw.formData()
  } catch {
    throw badRequest('The body is not a valid form with files.')
  }
}

/** Tells the sender of an upload what is wrong with it. @throws ApiProblem 400 */
export async function orBadRequest<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (cause) {
    if (cause instanceof UnusableUpload) throw badRequest(cause.message)
    throw cause
  }
}
