import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { minify } from '@swc/core'
import react from '@vitejs/plugin-react'
import { defineConfig, type PluginOption } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The server that `npm run dev` starts beside Vite. */
const api = `http://127.0.0.1:${process.env.PORT ?? 4600}`

/**
 * The service worker: `sw/index.ts` with its precache list. The build renames the results (`index.js` to `sw.js`, and `index.html`, the
 * empty page for navigations, to `app.html`). Only what customers need is precached, in few files, because they are fetched one by one.
 * Moving a cart to another device and downloading images need a network, so their files are not precached; a code can be typed without the scanner.
 */
const serviceWorker = (): PluginOption =>
  VitePWA({
    strategies: 'injectManifest',
    srcDir: '../sw',
    filename: 'index.ts',
    registerType: 'prompt',
    injectRegister: false,
    manifest: false,
    includeManifestIcons: false,
    injectManifest: {
      globPatterns: ['index.html', 'assets/*.{js,css,woff2}'],
      globIgnores: ['assets/{staff,handing,changing,stripe,scanning}-*'],
      maximumFileSizeToCacheInBytes: 3 * 1024 * 1024,
      manifestTransforms: [
        async (entries) => ({
          manifest: entries.map((entry) => (entry.url === 'index.html' ? { ...entry, url: 'app.html' } : entry)),
        }),
      ],
    },
  })

/** The screens of landing pages; every page also loads the entry. */
const landingScreens = ['src/client/home/home-screen.tsx', 'src/client/app/studio-landing-page.tsx'].map(here)

type ModuleInfo = {
  importedIds: readonly string[]
  dynamicallyImportedIds: readonly string[]
  importers: readonly string[]
}
type Graph = { getModuleInfo: (id: string) => ModuleInfo | null }

/** All modules reachable from some modules; `next` returns the imports to follow. */
const reachableFrom = (starts: readonly string[], next: (id: string) => readonly string[]): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = (id: string): void => {
    if (found.has(id)) return
    found.add(id)
    next(id).forEach(add)
  }
  starts.forEach(add)
  return found
}

/** A set of modules that is computed once, when all modules are known. */
const computedOnce = (compute: (graph: Graph) => ReadonlySet<string>) => {
  let modules: ReadonlySet<string> | undefined
  return (graph: Graph): ReadonlySet<string> => {
    modules ??= compute(graph)
    return modules
  }
}

const staffCode = /src\/client\/(staff|app\/staff)\//

/** Modules of landing screens: a group of their own, and one for those that other customers' screens need too. All style sheets go into the shared one. */
const landingGroup = () => {
  const importsOf = (graph: Graph) => (id: string) => graph.getModuleInfo(id)?.importedIds ?? []
  const needed = computedOnce((graph) => reachableFrom(landingScreens, importsOf(graph)))
  const isOther = (graph: Graph) => (id: string) =>
    !needed(graph).has(id) && !staffCode.test(id) && !/kit-page|prerender/.test(id)
  const shared = computedOnce((graph) => {
    const entries = [...needed(graph)].filter((id) => graph.getModuleInfo(id)?.importers.some(isOther(graph)))
    return reachableFrom(entries, importsOf(graph))
  })
  return (id: string, graph: Graph): string | null => {
    if (!needed(graph).has(id)) return null
    return shared(graph).has(id) || id.endsWith('.css') ? 'ui' : 'landing'
  }
}

/** Gives the icons of staff screens ids of their own, so that no customer's file contains an icon because staff see it too. */
const staffIcons = (): PluginOption => ({
  name: 'staff-icons',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!source.startsWith('lucide-react/icons/') || !importer || !staffCode.test(importer)) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return found && `${found.id}?staff`
  },
})

/**
 * Staff code: every module that no customer's page reaches. Each feature is a file, without its route table and the parsing of its URLs,
 * which are needed before any feature; modules of several features go into the shared file.
 */
const staffGroups = () => {
  const customers = computedOnce((graph) =>
    reachableFrom([here('src/client/main.tsx')], (id) => {
      const info = graph.getModuleInfo(id)
      const imported = [...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? [])]
      return imported.filter((one) => !staffCode.test(one))
    }),
  )
  return (id: string, graph: Graph): string | null => {
    if (!/\/(src|node_modules)\//.test(id) || customers(graph).has(id)) return null
    if (/app\/staff\/organization-jobs\./.test(id)) return 'staff-organizations'
    // The chart is loaded after the table it belongs to.
    if (/\/node_modules\/uplot\/|kit\/report\/report-chart\./.test(id)) return 'staff-chart'
    if (/src\/client\/staff\/kit\/report\//.test(id)) return 'staff-reports'
    const [, feature] = /src\/client\/staff\/(?:studio|system)\/([^/]+)\/(?!routes\.)/.exec(id) ?? []
    return feature === undefined ? 'staff' : `staff-${feature}`
  }
}

const gzipBytes = (code: string): number => gzipSync(code, { level: 9 }).length

/**
 * Minifies customers' files a second time with SWC, which inlines more than Oxc, and uses the smaller result of each: about 2 KB less a
 * screen. The hash in a file's name is that of Oxc's result; both results behave the same.
 */
const minifyFurther = (): PluginOption => ({
  name: 'minify-further',
  apply: 'build',
  async generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || chunk.fileName.startsWith('assets/staff')) continue
      const { code } = await minify(chunk.code, {
        module: true,
        compress: { ecma: 2022, passes: 3, toplevel: true, pure_getters: true, keep_fargs: false },
        mangle: { toplevel: true },
        format: { ecma: 2022, comments: false },
      })
      if (gzipBytes(code) < gzipBytes(chunk.code)) chunk.code = code
    }
  },
})

/** Leaves out how ofetch finds the global object in browsers that this product does not support. */
const withoutOldGlobals = (): PluginOption => ({
  name: 'without-old-globals',
  enforce: 'pre',
  apply: 'build',
  transform: (code, id) =>
    id.includes('node_modules/ofetch/dist/index.mjs')
      ? code
          .replace(/const _globalThis = \(function\(\) \{.*?\n\}\)\(\);/s, 'const _globalThis = globalThis;')
          .replace(/_globalThis\.fetch \? (.*) : .*;/, '$1;')
      : undefined,
})

/** Leaves out why superstruct refuses a value: the client only asks whether it does. */
const withoutStructMessages = (): PluginOption => ({
  name: 'without-struct-messages',
  enforce: 'pre',
  apply: 'build',
  transform: (code, id) =>
    id.includes('node_modules/superstruct/dist/index.mjs')
      ? code.replace(/`Expected (?!a value of type)(?:[^`\\]|\\.)*`/g, "''")
      : undefined,
})

/** Shortens what Dexie logs for developers: a hint about an index, and what it does about a schema. */
const withShortDatabaseHints = (): PluginOption => ({
  name: 'with-short-database-hints',
  enforce: 'pre',
  apply: 'build',
  transform: (code, id) =>
    id.includes('node_modules/dexie/dist/modern/')
      ? code
          .replace(/`The query [^`]* would benefit from a compound index [^`]*`/, "'Dexie: slow query'")
          .replace(/(?<="Dexie SchemaDiff: Schema was extended)[^"]*/, '')
      : undefined,
})

/** Leaves out the reasons of ignored errors (`ignoring`), which only readers of the source need. */
const withoutReasons = (): PluginOption => ({
  name: 'without-reasons',
  enforce: 'pre',
  apply: 'build',
  transform: (code) => code.replace(/\bignoring\(\s*'[^']*'/g, 'ignoring(0'),
})

type Group = { name: string; test: RegExp }

/** Whether a module is an icon that only one group shows. The kit page does not count, because no customer opens it. */
const isIconOf = ({ test }: Group, id: string, graph: Graph): boolean => {
  if (!id.includes('node_modules/lucide-react/')) return false
  const importers = graph.getModuleInfo(id)?.importers.filter((one) => !one.includes('kit-page')) ?? []
  return importers.length > 0 && importers.every((one) => test.test(one))
}

/** A group with the icons that only it shows; other icons go into the shared group. */
const withIcons = (group: Group) => ({
  name: (id: string, graph: Graph) => (group.test.test(id) || isIconOf(group, id, graph) ? group.name : null),
  debugName: group.name,
})

/**
 * Modules that are shown, and so loaded, on demand: they may be imported by `import()` only. Small style sheets belong to the screen
 * instead, because each file is one more for the service worker to fetch.
 */
const onDemand: readonly Group[] = [
  {
    name: 'lazy',
    test: /src\/(client\/(ui\/(dialog\/(confirm-dialog|dialog|dialog-close|scroll-lock)|navigation\/(tabs|fading-ends)|toast\/toast-region)|customer\/(shared\/(errors\/error-screens|confirm-clear-device)|packages\/(scenes|sharing)\/[^/]+\.module|cart\/(install\/install-steps|order-services\/retouch-examples\.module)|checkout\/test-provider\/test-(bank-step|wallet))|app\/(customer-layout\/help-dialog|maintenance-screen|not-found-screen|update-banner)|platform\/(api\/check-cached-images|sync\/pull-job-carts|session\/recover-denied-call|service-worker\/refresh-cache))|local\/(store\/(check-cached-images|purge-images|clear-device)|transport\/(pull-carts|poison-mutations)|recovery\/(recover-session|restore-access|recovery))|domain\/shared\/file-size)\.|node_modules\/(@radix-ui|react-remove|aria-hidden|tslib|use-callback|use-sidecar|react-toastify|clsx)/,
  },
  {
    name: 'copying',
    test: /src\/client\/(ui\/(crop\/crop-(dialog|stage|view|state)|form\/slider)|customer\/packages\/images\/background-(choice|option))\.tsx?$|node_modules\/(react-easy-crop|normalize-wheel).*(?<!\.css)$|src\/client\/customer\/(packages\/(customiser\/(copied-packages|copy-package)|image-choice\/[^/]+)|cart\/(closed-cart|copy-to-subject\/copy-to-subject-dialog|package-version-notice)|shared\/catalogue\/stale-prices-text|checkout\/(form\/(address-suggestion|fill-place|promotion-code)|finished-checkout|payment\/(bank-step|payment-problem|payment-in-progress|unfinished-payment))|orders\/(image-choice-notice|order-not-found))\.tsx?$|src\/(contract\/customer\/(order-image-choice|promotion-codes|address-calls)|domain\/(catalogue\/package-changes|printing\/crop-changes))\./,
  },
]

/** The customers' screens, by the part of the order flow. */
const groupsOfScreens: readonly Group[] = [
  {
    name: 'handing',
    test: /src\/(client\/(customer\/(transfer\/|downloads\/|sharing\/|shared\/studio\/studio-page\.|reminders\/unsubscribe-screen\.)|platform\/use-polling\.)|local\/recovery\/join-session\.|contract\/customer\/(hand-over|download-calls|shared-images|unsubscribe)\.)/,
  },
  {
    name: 'changing',
    test: /src\/client\/customer\/(checkout\/order-increase\/[^/]+|orders\/(confirm-cancel-order|order-extras|reduce-order)|shared\/order\/(use-order-quote|quantity-rows))\.tsx?$|src\/(client\/home\/find-order|contract\/customer\/order-adjustment-calls|local\/store\/increase-payment)\./,
  },
  {
    // What the package screens and the cart load behind the first tap: the viewer of images, links to images, add-ons, and what else is offered in the cart.
    name: 'viewing',
    test: /src\/(client\/(customer\/(packages\/(selection\/image-viewer\.|scenes\/[^/]+\.tsx|sharing\/[^/]+\.tsx|(offers\/(cart-)?|customiser\/customiser-)add-ons\.tsx|customiser\/log-aspect-warnings\.)|reminders\/reminder-|cart\/(install\/install-offer|unsent-notice|storage-warning|order-services\/retouch-examples)\.tsx)|platform\/storage-persistence\.)|contract\/customer\/(reminder|share)-calls\.|domain\/(reminders\/|printing\/print-scenes\.))|node_modules\/(photoswipe|detectincognitojs)\//,
  },
  // The button that scans a card, which pages load when they are idle, without the API client.
  {
    name: 'scanning-card',
    test: /src\/client\/(ui\/scanner\/scan-card|home\/home-scanner|customer\/discovery\/studio\/studio-scanner)\./,
  },
  // The camera, and the decoder of QR codes for browsers without one.
  { name: 'scanning', test: /src\/client\/ui\/scanner\/(scanner|qr-reader)\.|node_modules\/qr\// },
  { name: 'stripe', test: /src\/client\/customer\/checkout\/stripe\/|node_modules\/@stripe\// },
  ...onDemand,
  {
    name: 'paying',
    test: /src\/client\/customer\/checkout\/|src\/(domain\/(shared\/us-states|pricing\/shipping)|contract\/customer\/checkout-calls|local\/checkout)\./,
  },
  {
    name: 'cart',
    test: /src\/(client\/(app\/cart-with-add-ons-screen|customer\/cart\/|customer\/shared\/cart\/cart-ordered-notice|ui\/form\/quantity-stepper\.)|domain\/cart\/line-blocker|local\/(outbox\/(rejected-mutations|undoable-removals))\.)/,
  },
  {
    // The order after the checkout, and what the home page needs after a tap, or on a device that was used before: neither checkout nor the page of an access code loads it.
    name: 'returning',
    test: /src\/(client\/(customer\/(orders\/|shared\/order\/quantity-rows\.)|home\/(find-by-text|found-choices|home-extras|recent-events)|platform\/path-in-text\.)|contract\/customer\/(order-calls|find-event)\.|domain\/orders\/tracking-link\.|local\/store\/(stored-orders|recent-jobs|increase-payment-draft-key)\.)/,
  },
  {
    name: 'finding',
    test: /src\/(client\/(customer\/(discovery\/|subjects\/|shared\/(subject\/|notify-me\/))|app\/(subject-picker-screen|open-code-page)|home\/last-job-redirect)|contract\/customer\/code-page|domain\/(shared\/paging|subjects\/subject-search)\.|contract\/customer\/find-subjects\.|local\/outbox\/(set-subject-fields|edit-typed-subject)\.)/,
  },
  // Choosing packages and customizing them: each with the modules that only it needs. They share the style sheet.
  {
    name: 'selecting',
    test: /src\/(client\/customer\/packages\/selection\/[^/]+(?<!\.css)$|domain\/pricing\/package-savings\.|local\/store\/first-view\.)/,
  },
  {
    name: 'customising',
    test: /src\/(client\/customer\/packages\/(images\/image-picker|customiser\/(?!customised-package\.)[^/]+(?<!\.css)$))/,
  },
  {
    name: 'choosing',
    test: /src\/(client\/(customer\/packages\/|ui\/(crop\/crop\.|rendering\/use-(event-callback|after-paint)))|domain\/subjects\/year-book-pose)|node_modules\/react-easy-crop/,
  },
]

/**
 * Few, big files, because the service worker fetches them one after the other: the entry of every page, landing screens and what other
 * screens share with them, what is loaded on demand, the parts of the order flow, the rest of the customers' code with that of the device,
 * and staff code, which a customer's phone never fetches. The first group that matches takes a module; the modules below that only it
 * imports go with it.
 */
const groups = () =>
  [
    { name: 'start', tags: ['$initial' as const] },
    { name: staffGroups(), debugName: 'staff' },
    { name: landingGroup(), debugName: 'landing' },
    // Only development builds have it. In the group `customer`, that file would import icons from files of screens, which import it.
    { name: 'kit', test: /src\/client\/app\/kit-page\// },
    ...groupsOfScreens.map(withIcons),
    {
      name: 'customer',
      test: /src\/(local|domain|contract|client\/(customer|home|app|ui|platform))\/|node_modules\/(dexie|superstruct|ofetch|currency|lucide-react)/,
    },
  ].map((group, place, all) => ({ ...group, priority: all.length - place, includeDependenciesRecursively: false }))

export default defineConfig(({ isSsrBuild }) => ({
  root: here('src'),
  publicDir: here('public'),
  cacheDir: here('node_modules/.cache/vite'),
  css: { transformer: 'lightningcss' },
  // Prerendered pages must use the same icon factory.
  ssr: { noExternal: ['lucide-react'] },
  resolve: {
    alias: [
      // The shim is for older versions of React.
      { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
      // Dependencies of ofetch and wouter, for features that the client does not use.
      { find: /^(destr|ufo|regexparam)$/, replacement: here('src/local/transport/package-stubs.ts') },
      // The package's entry includes the build for old browsers.
      { find: 'dexie', replacement: here('node_modules/dexie/dist/modern/dexie.min.mjs') },
      // The package's entry for browsers is a CommonJS build.
      { find: 'currency.js', replacement: here('node_modules/currency.js/dist/currency.es.js') },
      // The package's entry is the ES5 build.
      {
        find: 'workbox-window',
        replacement: here('node_modules/workbox-window/build/workbox-window.prod.mjs'),
      },
      // The package's icon factory has features that no icon uses, on every page.
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: here('src/client/ui/make-icon.ts') },
    ],
  },
  plugins: [
    staffIcons(),
    withoutReasons(),
    withoutOldGlobals(),
    withoutStructMessages(),
    withShortDatabaseHints(),
    react(),
    !isSsrBuild && minifyFurther(),
    !isSsrBuild && serviceWorker(),
  ],
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // URLs in style sheets stay URLs, never inlined bytes, so that the content security policy stays simple.
    assetsInlineLimit: 0,
    // A browser without module preload loads a little later instead of everyone loading a polyfill.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ...(!isSsrBuild && {
      rolldownOptions: {
        output: {
          codeSplitting: { groups: groups() },
          hashCharacters: 'base36',
          // Every file names the others; seven letters of hash tell builds apart, and each letter less counts on every screen.
          entryFileNames: 'assets/[name]-[hash:7].js',
          chunkFileNames: 'assets/[name]-[hash:7].js',
          assetFileNames: 'assets/[name]-[hash:7][extname]',
        },
        optimization: { inlineConst: { mode: 'all', pass: 3 } },
        // No getter and no global has a side effect when it is only read.
        treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      },
    }),
  },
  server: {
    port: 4610,
    proxy: { '/api': api, '/photos': api },
  },
}))
