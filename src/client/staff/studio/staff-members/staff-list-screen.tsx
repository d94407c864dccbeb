import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { useIsAdministrator } from '#client/staff/kit/session/current-session.ts'
import { OpenInvitations, roleNames } from '#client/staff/kit/users/open-invitations.tsx'
import { secondFactorColumn } from '#client/staff/kit/users/second-factor.ts'
import {
  listInvitations,
  listUsers,
  resendInvitation,
  revokeInvitation,
  type StudioUser,
} from '#contract/studio/accounts.ts'
import { studioRoles } from '#contract/system/auth.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import { supportMessages } from '#domain/studio/support-access.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import styles from './staff-list-screen.module.css'
import { TwoFactorPolicySection } from './two-factor-policy.tsx'
import { UserDialog } from './user-dialog.tsx'

const columnsFor = (onOpen: (id: number) => void): readonly Column<StudioUser>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ id, name }) => (
      <button type="button" className={styles.name} onClick={() => onOpen(id)}>
        {name}
      </button>
    ),
  },
  { id: 'email', header: 'Email', sort: 'email', cell: ({ email }) => email },
  { id: 'role', header: 'Role', sort: 'role', cell: ({ role }) => roleNames[role] },
  {
    id: 'signedInAt',
    header: 'Signed in',
    sort: 'signedInAt',
    cell: ({ signedInAt }) => (signedInAt ? formatDate(signedInAt) : 'Never'),
  },
  secondFactorColumn,
  { id: 'state', header: 'May sign in', cell: ({ isDisabled }) => (isDisabled ? 'No' : 'Yes') },
]

const roleFilterOptions = [
  { value: '', label: 'Everyone' },
  { value: 'owner', label: 'Owners' },
  { value: 'staff', label: 'Staff' },
] as const

/** The studio's staff and invitations, for its owners: invites, edits and removes staff. */
export const StaffListScreen = ({ studioId }: { studioId: number }) =>
  useIsAdministrator() ? (
    <StaffScreen title="Staff" trail={settingsTrail(studioId)}>
      <EmptyState title={supportMessages.ownersOnly}>
        <p>They invite staff and choose what each may do.</p>
      </EmptyState>
    </StaffScreen>
  ) : (
    <StaffList studioId={studioId} />
  )

const settingsTrail = (studioId: number) => [{ label: 'Settings', href: staffUrls.studio(studioId, 'settings') }]

const StaffList = ({ studioId }: { studioId: number }) => {
  const list = useList(['type'])
  const query = { ...list.query, type: studioRoles.find((role) => role === list.filters.type) }
  const users = useStaffQuery(listUsers, { params: { studioId }, query })
  const invitations = useStaffQuery(listInvitations, { params: { studioId } })
  const resend = useStaffMutation(resendInvitation)
  const revoke = useStaffMutation(revokeInvitation)
  const [openId, setOpenId] = useState<number | null>(null)
  const [isInviting, setInviting] = useState(false)
  const openUser = users.data && toPage(users.data).resultItems.find(({ id }) => id === openId)
  const inviteButton = (
    <Button icon={Plus} onClick={() => setInviting(true)}>
      Invite someone
    </Button>
  )
  return (
    <StaffScreen
      title="Staff"
      trail={settingsTrail(studioId)}
      actions={inviteButton}
      lead="Owners see revenue and manage staff. Staff work on jobs, people, images and orders."
    >
      <ListScreen
        label="Staff"
        searchPlaceholder="Name or email"
        list={list}
        query={users}
        columns={columnsFor(setOpenId)}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={<ListFilter list={list} name="type" label="Role" options={roleFilterOptions} />}
        empty={
          <EmptyState title="No staff yet" action={inviteButton}>
            <p>People you invite get an email with a link, and appear here once they accept.</p>
          </EmptyState>
        }
      />
      <section className={styles.invitations} aria-labelledby="staff-invitations">
        <h2 id="staff-invitations">Invitations</h2>
        <QueryBoundary query={invitations}>
          {(data) => (
            <OpenInvitations
              invitations={toPage(data).resultItems}
              resend={(invitationId) => resend.mutate({ params: { studioId, invitationId }, body: {} })}
              revoke={(invitationId) => revoke.mutate({ params: { studioId, invitationId } })}
            />
          )}
        </QueryBoundary>
      </section>
      <TwoFactorPolicySection studioId={studioId} />
      {isInviting && <InviteDialog studioId={studioId} onClose={() => setInviting(false)} />}
      {openUser && <UserDialog key={openUser.id} studioId={studioId} user={openUser} onClose={() => setOpenId(null)} />}
    </StaffScreen>
  )
}
