import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { ListFilter, optionsOf, StudioFilter, useStudioOptions } from '#client/staff/kit/list/list-filter.tsx'
import { isListEmpty, ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { RowButton } from '#client/staff/kit/list/panel-link.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { OpenInvitations, roleNames } from '#client/staff/kit/users/open-invitations.tsx'
import { confirmSecondFactorReset, secondFactorColumn } from '#client/staff/kit/users/second-factor.ts'
import { userRoles } from '#contract/system/auth.ts'
import {
  endUserSessions,
  listPlatformInvitations,
  listPlatformUsers,
  type PlatformUser,
  removePlatformUser,
  resendPlatformInvitation,
  revokePlatformInvitation,
  userStates,
} from '#contract/system/platform-users.ts'
import { resetPlatformSecondFactor } from '#contract/system/two-factor.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { InviteUserDialog } from './invite-user-dialog.tsx'
import { PlatformUserDialog } from './platform-user-dialog.tsx'

const columns: readonly Column<PlatformUser>[] = [
  { id: 'email', header: 'Email', sort: 'email', cell: ({ email }) => email },
  { id: 'role', header: 'Role', sort: 'role', cell: ({ role }) => roleNames[role] },
  { id: 'studio', header: 'Studio', sort: 'studio', cell: ({ studioName }) => studioName ?? 'All' },
  {
    id: 'signedInAt',
    header: 'Signed in',
    isOneLine: true,
    sort: 'signedInAt',
    cell: ({ signedInAt }) => (signedInAt ? formatDate(signedInAt) : 'Never'),
  },
  secondFactorColumn,
  { id: 'state', header: 'May sign in', isOneLine: true, cell: ({ isDisabled }) => (isDisabled ? 'No' : 'Yes') },
]

const roleFilterOptions = optionsOf({ '': 'All roles', ...roleNames })
const stateFilterOptions = optionsOf({ '': 'Everyone', enabled: 'May sign in', disabled: 'Disabled' })

const useUserActions = () => {
  const removal = useStaffMutation(removePlatformUser)
  const ending = useStaffMutation(endUserSessions)
  const reset = useStaffMutation(resetPlatformSecondFactor)
  const remove = async ({ id, name }: PlatformUser) => {
    const message = 'Their next request is refused. Their past work keeps their name.'
    if (!(await confirm({ title: `Remove ${name}?`, message, confirmText: 'Remove', danger: true }))) return
    const answer = await removal.mutate({ params: { id } })
    if (answer.ok) toast(`${name} was removed`, 'success')
  }
  const endSessions = async ({ id, name }: PlatformUser) => {
    const message = 'They are signed out on all devices, and can sign in again. Their API tokens end.'
    if (!(await confirm({ title: `Sign ${name} out everywhere?`, message, confirmText: 'Sign out' }))) return
    const answer = await ending.mutate({ params: { id }, body: {} })
    if (answer.ok) toast(`${name} is signed out everywhere`, 'success')
  }
  const resetSecondFactor = ({ id, name }: PlatformUser) =>
    confirmSecondFactorReset(name, () => reset.mutate({ params: { id } }))
  return { remove, endSessions, resetSecondFactor }
}

const Invitations = () => {
  const invitations = useStaffQuery(listPlatformInvitations)
  const resend = useStaffMutation(resendPlatformInvitation)
  const revoke = useStaffMutation(revokePlatformInvitation)
  return (
    <Panel title="Invitations">
      <QueryBoundary query={invitations}>
        {(data) => (
          <OpenInvitations
            invitations={toPage(data).resultItems}
            resend={(id) => resend.mutate({ params: { id }, body: {} })}
            revoke={(id) => revoke.mutate({ params: { id } })}
          />
        )}
      </QueryBoundary>
    </Panel>
  )
}

const useUserList = () => {
  const list = useList(['type', 'studio', 'state'])
  const { studio, state, type, ...query } = list.query
  const users = useStaffQuery(listPlatformUsers, {
    query: {
      ...query,
      type: userRoles.find((role) => role === type),
      state: userStates.find((candidate) => candidate === state),
      ...(Number(studio) > 0 && { studioId: Number(studio) }),
    },
  })
  return { list, users }
}

/** The users of all studios and the administrators of the platform. */
export const UsersScreen = () => {
  const { list, users } = useUserList()
  const studioOptions = useStudioOptions()
  const { remove, endSessions, resetSecondFactor } = useUserActions()
  const [edited, setEdited] = useState<PlatformUser | 'new' | null>(null)
  const close = () => setEdited(null)
  const inviteButton = (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      Invite someone
    </Button>
  )
  const nameColumn: Column<PlatformUser> = {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: (user) => <RowButton onOpen={() => setEdited(user)}>{user.name}</RowButton>,
  }
  const actionColumn: Column<PlatformUser> = {
    id: 'actions',
    header: 'Actions',
    cell: (user) => (
      <Menu
        label={`Actions for ${user.name}, ${user.email}`}
        icon={Ellipsis}
        align="end"
        items={[
          { label: 'Edit', onSelect: () => setEdited(user) },
          { label: 'Sign out everywhere', onSelect: () => void endSessions(user) },
          ...(user.hasSecondFactor
            ? [{ label: 'Reset two-factor sign-in', onSelect: () => void resetSecondFactor(user) }]
            : []),
          'separator',
          { label: 'Remove', danger: true, onSelect: () => void remove(user) },
        ]}
      />
    ),
  }
  return (
    <StaffScreen
      title="Users"
      lead="Everyone who signs in: administrators, owners and staff. Shows up to 10,000 matches."
      actions={!isListEmpty(list, users) && inviteButton}
    >
      <ListScreen
        label="Users"
        searchPlaceholder="Name or email"
        list={list}
        query={users}
        columns={[nameColumn, ...columns, actionColumn]}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={
          <>
            <ListFilter list={list} name="type" label="Role" options={roleFilterOptions} />
            <StudioFilter list={list} name="studio" />
            <ListFilter list={list} name="state" label="State" options={stateFilterOptions} />
          </>
        }
        empty={<EmptyState title="No users yet" action={inviteButton} />}
      />
      <Invitations />
      {edited === 'new' && <InviteUserDialog studioOptions={studioOptions} onClose={close} />}
      {edited && edited !== 'new' && <PlatformUserDialog user={edited} onClose={close} />}
    </StaffScreen>
  )
}
