// Vendure's own project template without email, dashboard and GraphiQL. `node shop.mjs populate|server|worker`.
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'

const require = createRequire(`${process.cwd()}/package.json`)
const core = require('@vendure/core')
const { AssetServerPlugin } = require('@vendure/asset-server-plugin')
const sharp = require('sharp')

const port = Number(process.env.PORT)
const database = new URL(process.env.PG_URL)
const imagesFolder = `${process.cwd()}/import-assets`

const createConfig = (synchronize) => ({
  apiOptions: { port, hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api', trustProxy: 1 },
  authOptions: {
    tokenMethod: ['bearer', 'cookie'],
    superadminCredentials: { identifier: 'bench-admin', password: 'bench-only-Pa55' },
    cookieOptions: { secret: 'bench-only' },
  },
  dbConnectionOptions: {
    type: 'postgres',
    synchronize,
    migrations: [],
    logging: false,
    host: database.hostname,
    port: Number(database.port || 5432),
    username: decodeURIComponent(database.username),
    password: decodeURIComponent(database.password),
    database: database.pathname.slice(1),
  },
  paymentOptions: { paymentMethodHandlers: [core.dummyPaymentHandler] },
  customFields: {},
  logger: new core.DefaultLogger({ level: core.LogLevel.Warn }),
  importExportOptions: { importAssetsDir: imagesFolder },
  plugins: [
    AssetServerPlugin.init({
      route: 'assets',
      assetUploadDir: `${process.cwd()}/static/assets`,
      assetUrlPrefix: `http://localhost:${port}/assets/`,
    }),
    core.DefaultSchedulerPlugin.init(),
    core.DefaultJobQueuePlugin.init({ useDatabaseForBuffer: true }),
    core.DefaultSearchPlugin.init({ bufferUpdates: false, indexStockStatus: true }),
  ],
})

const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  roles: [{ code: 'administrator', description: 'Administrator', permissions: [core.Permission.ReadCatalog] }],
  taxRates: [{ name: 'Standard Tax', percentage: 20 }],
  shippingMethods: [{ name: 'Standard Shipping', price: 500 }],
  paymentMethods: [
    {
      name: 'Standard Payment',
      handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'false' }] },
    },
  ],
  countries: [{ name: 'Austria', code: 'AT', zone: 'Europe' }],
  collections: ['Prints', 'Digital', 'Gifts'].map((name) => ({
    name,
    filters: [{ code: 'facet-value-filter', args: { facetValueNames: [name], containsAny: false } }],
  })),
}

/** Creates the tables and the products of `products.csv`, with an image each, in an empty database. */
const populate = async () => {
  rmSync('static', { recursive: true, force: true })
  await mkdir(imagesFolder, { recursive: true })
  for (let number = 1; number <= 6; number += 1) {
    const noise = { type: 'gaussian', mean: 128, sigma: 12 }
    const image = sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#864', noise } })
    await image.jpeg({ quality: 82 }).toFile(`${imagesFolder}/p${number}.jpg`)
  }
  const startShop = async () => {
    const app = await core.bootstrap(createConfig(true))
    await app.get(core.JobQueueService).start()
    return app
  }
  const app = await require('@vendure/core/cli').populate(startShop, initialData, `${process.cwd()}/products.csv`)
  // The search index is built by jobs; Vendure has no call that waits for them.
  await wait(4_000)
  await app.close()
}

const startWorker = async () => (await core.bootstrapWorker(createConfig(false))).startJobQueue()

const modes = { populate, server: () => core.bootstrap(createConfig(false)), worker: startWorker }
await modes[process.argv[2]]()
if (process.argv[2] === 'populate') process.exit(0)
