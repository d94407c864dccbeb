import { freePort, type Product, type ProductOptions, startProduct } from './start-product.ts'

/** A product that can be stopped, killed, changed and restarted on the same port. */
export type RestartableProduct = {
  port: number
  /** The error lines in the logs of all its runs. */
  errors: () => string[]
  /** `stop` sends SIGTERM, `kill` SIGKILL. */
  stop: () => Promise<void>
  kill: () => Promise<void>
  /** Restarts it with the same options, or with another folder, other settings or another release. */
  start: (changes?: Partial<ProductOptions>) => Promise<void>
}

/** Starts a product on its own port. */
export const startRestartableProduct = async (options: ProductOptions): Promise<RestartableProduct> => {
  const port = options.port ?? (await freePort())
  const products: Product[] = []
  const start: RestartableProduct['start'] = async (changes = {}) => {
    products.push(await startProduct({ ...options, port, ...changes, env: { ...options.env, ...changes.env } }))
  }
  const currentProduct = (): Product => products.at(-1) as Product // the first is started below, before any use
  await start()
  return {
    port,
    errors: () => products.flatMap((product) => product.errors()),
    stop: () => currentProduct().stop(),
    kill: () => currentProduct().kill(),
    start,
  }
}
