import { freePort, type Product, type ProductOptions, startProduct } from './start-product.ts'

/** A product that may be stopped, killed, changed and started again, always on the same port. */
export type RestartableProduct = {
  port: number
  /** What the logs of all of them call an error. */
  errors: () => string[]
  /** Ends it as an operator would, or as a power cut would. */
  stop: () => Promise<void>
  kill: () => Promise<void>
  /** Starts it again: as before, or over another folder, with other settings, of another release. */
  start: (other?: Partial<ProductOptions>) => Promise<void>
}

/** Starts a product on a port of its own. */
export const startRestartableProduct = async (options: ProductOptions): Promise<RestartableProduct> => {
  const port = options.port ?? (await freePort())
  const started: Product[] = []
  const start: RestartableProduct['start'] = async (other = {}) => {
    started.push(await startProduct({ ...options, port, ...other, env: { ...options.env, ...other.env } }))
  }
  const last = (): Product => started.at(-1) as Product // one is started before anybody asks
  await start()
  return {
    port,
    errors: () => started.flatMap((product) => product.errors()),
    stop: () => last().stop(),
    kill: () => last().kill(),
    start,
  }
}
