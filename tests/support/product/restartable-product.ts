import { freePort, type Product, type ProductOptions, startProduct } from './start-product.ts'

/** A product that can be stopped, killed, changed and restarted on the same port. */
export type RestartableProduct = {
  port: number
  /** The error lines in the logs of all its runs. */
  errors: () => string[]
  /** Stops it as an operator would, or kills it as a power cut would. */
  stop: () => Promise<void>
  kill: () => Promise<void>
  /** Restarts it with the same options, or with another folder, other settings or another release. */
  start: (other?: Partial<ProductOptions>) => Promise<void>
}

/** Starts a product on a port of its own. */
export const startRestartableProduct = async (options: ProductOptions): Promise<RestartableProduct> => {
  const port = options.port ?? (await freePort())
  const started: Product[] = []
  const start: RestartableProduct['start'] = async (other = {}) => {
    started.push(await startProduct({ ...options, port, ...other, env: { ...options.env, ...other.env } }))
  }
  const last = (): Product => started.at(-1) as Product // the first is started below, before any use
  await start()
  return {
    port,
    errors: () => started.flatMap((product) => product.errors()),
    stop: () => last().stop(),
    kill: () => last().kill(),
    start,
  }
}
