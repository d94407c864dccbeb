import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { useStateTitle } from '#ui/page/state-title.ts'

/** Shown for an unknown URL. */
export const NotFoundScreen = () => {
  useStateTitle('Not found')
  return (
    <PlainPage title="There is nothing at this address">
      <p>The link may be old, or a letter may have gone missing on the way. Anything in your cart is still there.</p>
      <div>
        <ButtonLink href={urls.home()}>Go to the start</ButtonLink>
      </div>
    </PlainPage>
  )
}
