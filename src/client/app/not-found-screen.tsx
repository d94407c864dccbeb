import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import { PlainPage } from '#ui/page/plain-page.tsx'

/** Shown for an unknown URL. */
export const NotFoundScreen = () => {
  useStateTitle('Not found')
  return (
    <PlainPage title="Page not found">
      <p>The link may be old or incomplete. Your cart is safe.</p>
      <div>
        <ButtonLink href={urls.home()}>Home</ButtonLink>
      </div>
    </PlainPage>
  )
}
