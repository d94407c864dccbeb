import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { StudioContact } from '#client/customer/shared/studio/studio-contact.tsx'
import { logoShowsName, StudioLogo } from '#client/customer/shared/studio/studio-logo.tsx'
import { studioNotLoaded, unreachableMessage } from '#local/transport/failure-cause.ts'
import type { LandingStudio } from '#platform/landing.ts'
import type { CodeRoute } from '#platform/urls.ts'
import { lazyWhenIdle } from '#platform/when-idle.ts'
import { Button } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import { useAccent } from '#ui/theme/use-accent.ts'
import type { CodeFailure } from './access-code-entry.ts'
import { AccessCodeForm } from './access-code-form.tsx'
import type { CodeOpenerProps } from './code-opener.tsx'
import styles from './studio-screen.module.css'
import { useLandingStudio } from './use-landing-studio.ts'

/**
 * False while a prerendered page is hydrated, true afterwards: the first render must match the server's markup, and
 * device data follows right after.
 */
const useHydrated = (): boolean => {
  const [isHydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  return isHydrated
}

// Most customers come with a code, so the link for returning customers loads only when the page is idle.
const LazyContinueLink = lazyWhenIdle(async () => (await import('./continue-link.tsx')).ContinueLink)

const StudioScanner = lazyWhenIdle(async () => (await import('./studio-scanner.tsx')).StudioScanner)

/** Opens no code, because its code did not load. */
const FailingOpener = ({ code, onFailure }: CodeOpenerProps) => {
  useEffect(() => onFailure({ code, message: unreachableMessage() }), [code, onFailure])
  return null
}

const CodeOpener = lazy<ComponentType<CodeOpenerProps>>(() =>
  import('./code-opener.tsx').then(
    (module) => ({ default: module.CodeOpener }),
    () => ({ default: FailingOpener }),
  ),
)

type StudioScreenProps = CodeRoute & {
  orderSearch: ReactNode
  /** The search of the home page, for an address without a studio. */
  finder: ReactNode
}

/**
 * The studio page: job search by access code (section 2), help for a lost code, and order search. A code in the URL is
 * opened at once; the form is shown only if it fails.
 */
export const StudioScreen = ({ studioSlug, code, orderSearch, finder }: StudioScreenProps) => {
  const { studio, failed, why, refetch: retry } = useLandingStudio(studioSlug)
  const [failure, setFailure] = useState<CodeFailure | null>(null)
  const [path] = useLocation()
  // The prerendered page of a studio does not contain the code of a query.
  const isShown = useHydrated() || path.includes('/code/')
  if (code && isShown && failure?.code !== code)
    return (
      <Suspense>
        <CodeOpener {...{ studioSlug, code, studio }} onFailure={setFailure} />
      </Suspense>
    )
  if (failed) return <StudioNotLoaded why={why} retry={retry} finder={finder} />
  if (!studio) return <Loader label="Looking for the studio" />
  return <StudioContent {...{ studio, failure, orderSearch }} onScan={() => setFailure(null)} />
}

type StudioNotLoadedProps = { why: string | null; retry: () => void; finder: ReactNode }

const StudioNotLoaded = ({ why, retry, finder }: StudioNotLoadedProps) => {
  useStateTitle(why ? studioNotLoaded : 'Not found')
  return (
    <main className={styles.main}>
      <h1>{studioNotLoaded}</h1>
      <p>{why ?? 'Check the address on your card or email, or try again in a moment'}.</p>
      <div>
        <Button variant={why ? 'primary' : 'secondary'} onClick={retry}>
          Try again
        </Button>
      </div>
      {!why && finder}
    </main>
  )
}

type StudioContentProps = {
  studio: LandingStudio
  failure: CodeFailure | null
  orderSearch: ReactNode
  /** A card was read: its code is tried again even if it failed before. */
  onScan: () => void
}

const StudioContent = ({ studio, failure, orderSearch, onScan }: StudioContentProps) => {
  const isHydrated = useHydrated()
  useAccent(studio.accent)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <StudioLogo studio={studio} large />
        {!logoShowsName(studio) && <p className={styles.name}>{studio.name}</p>}
      </header>
      <main className={styles.main}>
        <div className={styles.intro}>
          <h1>Find your photos</h1>
          <p className={styles.lead}>Enter the code from your photo card or email.</p>
        </div>
        <AccessCodeForm studioSlug={studio.slug} failure={failure} />
        {isHydrated && (
          <Suspense>
            <StudioScanner studioSlug={studio.slug} onScan={onScan} />
            <LazyContinueLink studioSlug={studio.slug} />
          </Suspense>
        )}
        <section className={styles.more}>
          <details>
            <summary>I can’t find my code</summary>
            <div className={styles.answer}>
              <p>
                It’s printed on the card your child brought home, in the picture day email, or on the school or club
                notice. {studio.name} can look it up for you.
              </p>
              {isHydrated && <StudioContact studio={studio} />}
            </div>
          </details>
          <details>
            <summary>Looking for order details?</summary>
            <div className={styles.answer}>{orderSearch}</div>
          </details>
        </section>
      </main>
    </div>
  )
}
