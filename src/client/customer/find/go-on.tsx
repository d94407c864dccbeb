import { useLiveQuery } from 'dexie-react-hooks'
import { local } from '../../device/local.ts'
import { urls } from '../../shell/urls.ts'
import { lastVisit } from '../../shell/use-cart-address.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './go-on.module.css'

/** The event of this studio's that the device was in last, and how many packages lie in its cart; null where it was in none. */
const whereWeWere = async (studioSlug: string) => {
  const visit = await lastVisit()
  if (visit?.studioSlug !== studioSlug) return null
  const fact = await local.device.get('cart')
  const packages = fact?.key === 'cart' && fact.value.cartJobId === visit.jobId ? fact.value.cartPackageCount : 0
  return { visit, packages }
}

/** For who was here before: the way back to what they chose, with no code to be typed again. */
export const GoOn = ({ studioSlug }: { studioSlug: string }) => {
  const before = useLiveQuery(() => whereWeWere(studioSlug), [studioSlug])
  if (!before) return null
  const { visit, packages } = before
  return (
    <section className={styles.goOn} aria-labelledby="go-on">
      <h2 id="go-on">{packages > 0 ? 'Your cart is still here' : 'You were here before'}</h2>
      {packages > 0 ? (
        <ButtonLink href={urls.cart(visit)} variant="secondary" wide>
          Go to your cart ({packages === 1 ? '1 package' : `${packages} packages`})
        </ButtonLink>
      ) : (
        <ButtonLink href={urls.subjectSearch(visit)} variant="secondary" wide>
          Go on where you were
        </ButtonLink>
      )}
    </section>
  )
}
