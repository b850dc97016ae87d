/** Addresses of `web` that only the front door asks: to everybody else it answers that they are not there. */
export const webReadinessPath = '/front-door/readiness'
export const webFiguresPath = '/front-door/figures'
