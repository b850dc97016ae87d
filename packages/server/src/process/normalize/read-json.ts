export { decodeJson as readJson } from '@afterimage/protocol/json'
