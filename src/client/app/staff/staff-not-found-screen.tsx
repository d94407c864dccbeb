import { useAtomValue } from 'jotai'
import { staffHomeUrl } from '#client/staff/kit/routing/staff-home-url.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import { PlainPage } from '#ui/page/plain-page.tsx'

const title = 'Page not found'

const message = 'The link may be old, or the page was removed. Your saved work is safe.'

const HomeLink = () => {
  const claims = useAtomValue(claimsAtom)
  return <ButtonLink href={claims ? staffHomeUrl(claims) : urls.login()}>Home</ButtonLink>
}

/** Shown for an unknown staff address. Signed-in users get a link to their home screen. */
export const StaffNotFoundScreen = () => {
  useStateTitle('Not found')
  return (
    <PlainPage title={title}>
      <p>{message}</p>
      <div>
        <HomeLink />
      </div>
    </PlainPage>
  )
}

/** Shown for an unknown address below a studio, inside the studio's layout. */
export const NotFoundInStudio = () => {
  useStateTitle('Not found')
  return (
    <EmptyState level={1} title={title} action={<HomeLink />}>
      <p>{message}</p>
    </EmptyState>
  )
}
