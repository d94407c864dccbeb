import { lazy, type ReactNode, Suspense } from 'react'
import { logoShowsName, StudioLogo } from '#client/customer/shared/studio/studio-logo.tsx'
import type { LandingStudio } from '#platform/landing.ts'
import { studioNotLoaded } from '#platform/studio-load-error.ts'
import type { CodeRoute } from '#platform/urls.ts'
import { useHydrated } from '#platform/use-hydrated.ts'
import { whenIdle } from '#platform/when-idle.ts'
import { Button } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useStateTitle } from '#ui/page/state-title.ts'
import { useAccent } from '#ui/theme/use-accent.ts'
import { StudioContact } from '../studio-contact.tsx'
import { AccessCodeForm } from './access-code-form.tsx'
import styles from './studio-screen.module.css'
import { useLandingStudio } from './use-landing-studio.ts'

// Most customers come with a code: the link for returning ones loads when idle, or not at all.
const GoOn = lazy(async () => {
  await new Promise<void>((idle) => whenIdle(idle))
  return await import('./continue-link.tsx').then(
    ({ ContinueLink }) => ({ default: ContinueLink }),
    () => ({ default: () => null }),
  )
})

type StudioScreenProps = CodeRoute & { orderSearch: ReactNode }

/** The studio page: job search by access code (section 2), help for a lost code, and order search. */
export const StudioScreen = ({ studioSlug, code, orderSearch }: StudioScreenProps) => {
  const { studio, failed, why, refetch: retry } = useLandingStudio(studioSlug)
  if (failed) return <StudioFailed why={why} retry={retry} />
  if (!studio) return <Loader label="Looking for the studio" />
  return <StudioFace studio={studio} code={code} orderSearch={orderSearch} />
}

const StudioFailed = ({ why, retry }: { why: string | null; retry: () => void }) => {
  useStateTitle(why ? studioNotLoaded : 'Not found')
  return (
    <main className={styles.main}>
      <h1>{studioNotLoaded}</h1>
      <p>{why ?? 'Check the address on the card or e-mail you were given, or try again in a moment'}.</p>
      <div>
        <Button onClick={retry}>Try again</Button>
      </div>
    </main>
  )
}

type StudioFaceProps = { studio: LandingStudio; code: string | undefined; orderSearch: ReactNode }

const StudioFace = ({ studio, code, orderSearch }: StudioFaceProps) => {
  const hydrated = useHydrated()
  useAccent(studio.accent)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <StudioLogo studio={studio} large />
        {!logoShowsName(studio) && <p className={styles.name}>{studio.name}</p>}
      </header>
      <main className={styles.main}>
        <div className={styles.intro}>
          <h1>See your pictures</h1>
          <p className={styles.lead}>Type the code from the card or e-mail you were given.</p>
        </div>
        <AccessCodeForm studioSlug={studio.slug} initialCode={code} />
        {hydrated && (
          <Suspense>
            <GoOn studioSlug={studio.slug} />
          </Suspense>
        )}
        <section className={styles.more}>
          <details>
            <summary>I can’t find my code</summary>
            <div className={styles.answer}>
              <p>
                It stands on the card your child brought home, in the e-mail about picture day, or on the notice at
                school or at the club. {studio.name} can look it up for you.
              </p>
              {hydrated && <StudioContact studio={studio} />}
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
