export { register, onRequestError } from '@afterimage/next/server'
