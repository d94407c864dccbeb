import type { Deps } from '#server/deps.ts'
import { given } from './given.ts'
import { tokenAdministrator } from './sign-token.ts'

type Consent = { readonly mayChange?: boolean; readonly hasSharpPhotos?: boolean }

/**
 * Lets every administrator of the database into a studio for a year, with changes and sharp photos unless the test wants less: also the one
 * that `signToken` creates.
 */
export const grantSupportAccess = async (
  deps: Pick<Deps, 'db' | 'clock'>,
  studioId: number,
  { mayChange = true, hasSharpPhotos = true }: Consent = {},
): Promise<void> => {
  await tokenAdministrator(deps)
  const administrators = await deps.db.selectFrom('users').select('id').where('role', '=', 'administrator').execute()
  for (const { id } of administrators)
    await given(deps).supportAccess(studioId, id, {
      ...{ starts_at: deps.clock(), ends_at: new Date(deps.clock().getTime() + 365 * 24 * 60 * 60 * 1000) },
      ...{ may_change: mayChange, sharp_photos: hasSharpPhotos },
    })
}
