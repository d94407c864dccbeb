/** What the search asks for (grants): the first letter or more of the first name, two or more of the last. */
export type NameSearch = { firstName: string; lastName: string }

export type NameErrors = { firstName?: string; lastName?: string }

/** What is still missing before the search may ask; empty when nothing is. */
export const checkNames = ({ firstName, lastName }: NameSearch): NameErrors => {
  const errors: NameErrors = {}
  if (firstName.trim() === '') errors.firstName = 'Type at least the first letter'
  if (lastName.trim().length < 2) errors.lastName = 'Type at least two letters'
  return errors
}

export const isComplete = (errors: NameErrors): boolean => !errors.firstName && !errors.lastName
