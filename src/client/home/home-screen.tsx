import { lazy, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { databaseNames } from '#platform/landing.ts'
import { urls } from '#platform/urls.ts'
import { lazyWhenIdle } from '#platform/when-idle.ts'
import { useAccent } from '#ui/theme/use-accent.ts'
import { productName } from '../ui/page/document-title.ts'
import { FindForm } from './find-form.tsx'
import styles from './home-screen.module.css'
import { lazyFindOrder } from './lazy-find-order.ts'
import { OrderSearchForm } from './order-search-form.tsx'

const LastJobRedirect = lazy(async () => ({ default: (await import('./last-job-redirect.tsx')).LastJobRedirect }))

// Not needed for the first tap, so it loads when the page is idle; without it the page is complete.
const HomeScanner = lazyWhenIdle(async () => (await import('./home-scanner.tsx')).HomeScanner)

// Loads the code of the cart only on a device that may have one.
const RecentEvents = lazyWhenIdle(async () => {
  const names = await databaseNames()
  return names.includes('cart') ? (await import('./recent-events.tsx')).RecentEvents : () => null
})

/** The home page (section 1): find photos, find an order, and sign-in for studios. */
export const HomeScreen = () => {
  useAccent(null)
  // Null while the page is hydrated: the prerendered page is the same for everyone.
  const [source, setSource] = useState<string | null>(null)
  useEffect(() => setSource(new URLSearchParams(location.search).get('source') ?? ''), [])
  return (
    <div className={styles.page}>
      {source && (
        <Suspense>
          <LastJobRedirect source={source} />
        </Suspense>
      )}
      <main className={styles.main}>
        <section className={styles.welcome}>
          <h1>Welcome to {productName}</h1>
          <p className={styles.subtitle}>Event Online Ordering Platform</p>
          <div className={styles.picture}>
            <img src="/proof-sheet.svg" alt="" width="312" height="256" loading="lazy" />
          </div>
        </section>
        <section className={styles.code} aria-labelledby="have-code">
          <h2 id="have-code">Find your photos</h2>
          <p>See and order your school and sports photos.</p>
          <FindForm />
          {source !== null && (
            <Suspense>
              <HomeScanner />
              <RecentEvents />
            </Suspense>
          )}
        </section>
        <section className={styles.order} aria-labelledby="customer">
          <p className={styles.kicker} id="customer">
            Customer
          </p>
          <h2>Looking for order details?</h2>
          <OrderSearchForm find={lazyFindOrder} />
        </section>
        <section className={styles.studio} aria-labelledby="studio">
          <p className={styles.kicker} id="studio">
            Studio
          </p>
          <h2>Have an account?</h2>
          <Link href={urls.login()} className={styles.login}>
            Studio Login
          </Link>
        </section>
      </main>
    </div>
  )
}
