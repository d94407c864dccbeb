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
 * The worker: `sw/index.ts` with the list of what it keeps. The build renames what comes out (`index.js` to `sw.js`, and `index.html`,
 * the empty page of every navigation, to `app.html`). Only what a parent needs is kept, in few files: they are fetched one by one.
 * What hands a cart to another device, or pictures to download, is of no use without a network, and comes with it.
 */
const worker = (): PluginOption =>
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
      globIgnores: ['assets/{staff,handing,changing,stripe}-*'],
      maximumFileSizeToCacheInBytes: 3 * 1024 * 1024,
      manifestTransforms: [
        async (entries) => ({
          manifest: entries.map((entry) => (entry.url === 'index.html' ? { ...entry, url: 'app.html' } : entry)),
        }),
      ],
    },
  })

/** The screens that a landing page shows, besides what every page begins with. */
const landingScreens = ['src/client/home/home-screen.tsx', 'src/client/app/studio-landing-page.tsx'].map(here)

type Facts = {
  importedIds: readonly string[]
  dynamicallyImportedIds: readonly string[]
  importers: readonly string[]
}
type Graph = { getModuleInfo: (id: string) => Facts | null }

/** Everything that can be come to from some modules; which imports count, `next` says. */
const reachedFrom = (starts: readonly string[], next: (id: string) => readonly string[]): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = (id: string): void => {
    if (found.has(id)) return
    found.add(id)
    next(id).forEach(add)
  }
  starts.forEach(add)
  return found
}

/** A set of modules that is reckoned once, when all modules are known. */
const reckonedOnce = (reckon: (graph: Graph) => ReadonlySet<string>) => {
  let modules: ReadonlySet<string> | undefined
  return (graph: Graph): ReadonlySet<string> => {
    modules ??= reckon(graph)
    return modules
  }
}

const ofThoseWhoSignIn = /src\/client\/(staff|app\/staff)\//

/** What landing screens need: a group of their own, and one of what other customers' screens need too. All style sheets go with the shared one. */
const landingGroup = () => {
  const importsOf = (graph: Graph) => (id: string) => graph.getModuleInfo(id)?.importedIds ?? []
  const needed = reckonedOnce((graph) => reachedFrom(landingScreens, importsOf(graph)))
  const isOther = (graph: Graph) => (id: string) =>
    !needed(graph).has(id) && !ofThoseWhoSignIn.test(id) && !/kit-page|prerender/.test(id)
  const shared = reckonedOnce((graph) => {
    const entries = [...needed(graph)].filter((id) => graph.getModuleInfo(id)?.importers.some(isOther(graph)))
    return reachedFrom(entries, importsOf(graph))
  })
  return (id: string, graph: Graph): string | null => {
    if (!needed(graph).has(id)) return null
    return shared(graph).has(id) || id.endsWith('.css') ? 'controls' : 'landing'
  }
}

/** Icons of staff's own screens: the same under another name, so that no customer's file takes up those that staff see too. */
const ownIcons = (): PluginOption => ({
  name: 'own-icons',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!source.startsWith('lucide-react/icons/') || !importer || !ofThoseWhoSignIn.test(importer)) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return found && `${found.id}?staff`
  },
})

/**
 * Staff's own: whatever no customer's way comes to. Each errand is a file, but for its table of screens and how it reads addresses, which are there before any of them;
 * what several need goes with what all of them share.
 */
const staffGroups = () => {
  const customers = reckonedOnce((graph) =>
    reachedFrom([here('src/client/main.tsx')], (id) => {
      const facts = graph.getModuleInfo(id)
      const imported = [...(facts?.importedIds ?? []), ...(facts?.dynamicallyImportedIds ?? [])]
      return imported.filter((one) => !ofThoseWhoSignIn.test(one))
    }),
  )
  return (id: string, graph: Graph): string | null => {
    if (!/\/(src|node_modules)\//.test(id) || customers(graph).has(id)) return null
    // Reads camera cards, where a browser cannot by itself. In a file of its own it would take the reader of modules into another.
    if (id.includes('/node_modules/qr/')) return 'staff-shoot-day'
    if (/app\/staff\/organization-jobs\./.test(id)) return 'staff-organizations'
    const [, errand] =
      /src\/client\/staff\/(?:studio|system)\/([^/]+)\/(?!routes\.|organization-params\.)/.exec(id) ?? []
    return errand === undefined ? 'staff' : `staff-${errand}`
  }
}

const gzipBytes = (code: string): number => gzipSync(code, { level: 9 }).length

/**
 * Minifies customers' files a second time with SWC, which inlines what Oxc leaves, and takes the smaller result of each: about 2 KB a screen.
 * A file's name is the hash of what Oxc wrote; both results do the same.
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

type Group = { name: string; test: RegExp }

/** Whether a module is an icon that nothing but a group shows, beside the page of the kit, which no customer gets. */
const isIconOf = ({ test }: Group, id: string, graph: Graph): boolean => {
  if (!id.includes('node_modules/lucide-react/')) return false
  const importers = graph.getModuleInfo(id)?.importers.filter((one) => !one.includes('kit-page')) ?? []
  return importers.length > 0 && importers.every((one) => test.test(one))
}

/** A group with the icons that only it shows: one that another shows too is what customers' ways share. */
const withIcons = (group: Group) => ({
  name: (id: string, graph: Graph) => (group.test.test(id) || isIconOf(group, id, graph) ? group.name : null),
  debugName: group.name,
})

/**
 * Shown on demand, so loaded on demand: what asks for these must reach them by `import()` alone. Small style sheets come with the screen
 * instead: each file is one more for the worker to fetch.
 */
const onDemand: readonly Group[] = [
  {
    name: 'floating',
    test: /src\/(client\/(ui\/(dialog\/(confirm-dialog|dialog)|toast\/toast-region)|customer\/(shared\/(errors\/error-screens|confirm-clear-device)|cart\/install\/install-steps|checkout\/test-provider\/test-bank-step)|app\/(customer-layout\/help-dialog|maintenance-screen|update-banner)|platform\/(api\/check-cached-images|sync\/pull-job-carts|session\/recover-denied-call|service-worker\/refresh-cache))|local\/(store\/(check-cached-images|purge-images|clear-device)|transport\/(pull-carts|poison-mutations)|recovery\/(recover-session|restore-access|recovery))|contract\/customer\/check-images)\.|node_modules\/(@radix-ui|react-remove|aria-hidden|tslib|use-callback|use-sidecar|react-toastify|clsx)/,
  },
  {
    name: 'copying',
    test: /src\/client\/(ui\/(crop\/crop-(dialog|stage|view|state)|form\/slider)|customer\/packages\/images\/background-(choice|option))\.tsx?$|node_modules\/(react-easy-crop|normalize-wheel).*(?<!\.css)$|src\/client\/customer\/(packages\/(customiser\/(copied-packages|copy-package)|image-choice\/[^/]+)|cart\/(closed-cart|copy-to-subject\/(copy-to-subject-dialog|copy-packages-url)|package-version-notice)|shared\/catalogue\/stale-prices-text|checkout\/(form\/(address-suggestion|promotion-code)|checkout-contact|finished-checkout|payment\/(payment-problem|payment-in-progress|unfinished-payment))|orders\/(image-choice-notice|order-not-found))\.tsx?$|src\/(contract\/customer\/(order-image-choice|promotion-codes|validate-address)|domain\/catalogue\/package-changes)\./,
  },
]

/** The screens by who goes there and on which part of their way. */
const groupsOfScreens: readonly Group[] = [
  {
    name: 'handing',
    test: /src\/(client\/customer\/(transfer|downloads)\/|local\/recovery\/join-session\.|contract\/customer\/(hand-over|download-calls)\.|domain\/shared\/file-size\.)/,
  },
  {
    name: 'changing',
    test: /src\/client\/customer\/(checkout\/(order-increase\/[^/]+|payment\/bank-step)|orders\/(confirm-cancel-order|order-extras|reduce-order)|shared\/order\/use-order-quote)\.tsx?$|src\/(client\/home\/find-order|contract\/customer\/order-adjustment-calls|local\/store\/increase-payment)\./,
  },
  { name: 'stripe', test: /src\/client\/customer\/checkout\/stripe\/|node_modules\/@stripe\// },
  ...onDemand,
  {
    name: 'paying',
    test: /src\/client\/customer\/(checkout\/|orders\/|shared\/order\/)|src\/(domain\/(shared\/us-states|pricing\/shipping)|contract\/customer\/checkout-calls|local\/checkout)\./,
  },
  {
    name: 'cart',
    test: /src\/(client\/(customer\/cart\/|customer\/shared\/cart\/cart-ordered-notice|ui\/form\/quantity-stepper|platform\/storage-persistence\.)|local\/(store\/known-subjects|outbox\/(rejected-mutations|undoable-removals|drop-missing-background))\.)|node_modules\/detectincognitojs/,
  },
  {
    name: 'finding',
    test: /src\/(client\/(customer\/(discovery\/|subjects\/|shared\/(subject\/|notify-me\/))|app\/subject-picker-screen)|domain\/(shared\/paging|subjects\/subject-search)\.|contract\/customer\/find-subjects\.|local\/outbox\/(set-subject-fields|edit-typed-subject)\.)/,
  },
  {
    name: 'choosing',
    test: /src\/client\/(customer\/packages\/|customer\/shared\/drafts\/with-saved-draft|ui\/(crop\/crop\.|rendering\/use-event-callback))|node_modules\/react-easy-crop/,
  },
]

/**
 * Few, big files (the worker fetches what it keeps one after the other), cut where people part: what every page begins with, what a
 * landing page shows and what other screens share with it, what shows on demand, who it is for, what lives on the device, the way to a finished package, the cart,
 * paying for it, what a customer's ways share (the kit too), and staff's own, which a parent's phone never fetches. The first group
 * that fits takes a module; what only one of them imports from the rooms below goes with it.
 */
const groups = () =>
  [
    { name: 'start', tags: ['$initial' as const] },
    { name: staffGroups(), debugName: 'staff' },
    { name: landingGroup(), debugName: 'landing' },
    ...groupsOfScreens.map(withIcons),
    {
      name: 'device',
      test: /src\/(local|domain|contract|client\/platform)\/|node_modules\/(dexie|superstruct|ofetch|ufo|destr|currency)/,
    },
    { name: 'customer', test: /src\/client\/(customer|home|app|ui)\/|node_modules\/lucide-react/ },
  ].map((group, place, all) => ({ ...group, priority: all.length - place, includeDependenciesRecursively: false }))

export default defineConfig(({ isSsrBuild }) => ({
  root: here('src'),
  publicDir: here('public'),
  cacheDir: here('node_modules/.cache/vite'),
  css: { transformer: 'lightningcss' },
  // So that a page made on the server has its icons from the same maker.
  ssr: { noExternal: ['lucide-react'] },
  resolve: {
    alias: [
      // Its shim is for Reacts older than ours.
      { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
      // Behind ofetch, for what no call of ours does.
      { find: /^(destr|ufo)$/, replacement: here('src/local/transport/ofetch-stubs.ts') },
      // The package's own entry brings the build for old browsers along.
      { find: 'dexie', replacement: here('node_modules/dexie/dist/modern/dexie.min.mjs') },
      // The package's own entry is the ES5 build.
      {
        find: 'workbox-window',
        replacement: here('node_modules/workbox-window/build/workbox-window.prod.mjs'),
      },
      // The package's own maker of icons does much that no icon of ours asks for, on every page.
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: here('src/client/ui/make-icon.ts') },
    ],
  },
  plugins: [ownIcons(), react(), !isSsrBuild && minifyFurther(), !isSsrBuild && worker()],
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // An address in a style sheet is an address, never bytes: the content security policy stays simple.
    assetsInlineLimit: 0,
    // A browser that does not know the word loads a little later; nobody carries a substitute for it.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ...(!isSsrBuild && {
      rolldownOptions: {
        output: { codeSplitting: { groups: groups() } },
        optimization: { inlineConst: { mode: 'all', pass: 3 } },
        // No getter and no global of ours does anything when it is only read.
        treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      },
    }),
  },
  server: {
    port: 4610,
    proxy: { '/api': api, '/photos': api },
  },
}))
