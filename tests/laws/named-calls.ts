/* The calls that the specification names, as it writes them; all are below /api (A-ROUTE-00). */

export const served = [
  // auth
  ...['POST /auth/login', 'POST /auth/refresh_token', 'DELETE /auth/logout', 'GET /auth/me', 'GET /version'],
  ...['POST /auth/forgot-password', 'POST /auth/reset-password'],
  // tickets
  ...[
    'GET /tickets',
    'GET /tickets/u/{uuid}',
    'POST /tickets',
    'PUT /tickets/{id}',
    'DELETE /tickets/{id}',
    'POST /tickets/closeAll',
    'GET /tickets-log/{ticketId}',
    'POST /ticket-notes',
    'DELETE /ticket-notes/{id}',
    'GET /ticket-notes/list',
  ],
  // messages
  ...[
    'GET /messages/{ticketId}',
    'POST /messages/{ticketId}',
    'POST /messages/edit/{id}',
    'PUT /messages/{id}',
    'DELETE /messages/{id}',
    'POST /messages/{id}/reactions',
    'POST /message/forward',
  ],
  // contacts
  ...['GET /contacts', 'GET /contacts/{id}', 'POST /contacts', 'PUT /contacts/{id}', 'GET /contactTags/{contactId}'],
  // tags
  ...[
    'GET /tags',
    'GET /tags/list',
    'GET /tags/{id}',
    'POST /tags',
    'PUT /tags/{id}',
    'DELETE /tags/{id}',
    'POST /tags/sync',
    'DELETE /tags-contacts/{tagId}/{contactId}',
    'GET /tag/kanban',
  ],
  // users
  ...[
    'GET /users',
    'GET /users/list',
    'GET /users/{id}',
    'POST /users',
    'PUT /users/{id}',
    'DELETE /users/{id}',
    'PUT /users/{id}/language',
    'PUT /users/toggleChangeWidht/{userId}',
    'POST /users/{id}/media-upload',
  ],
  // connections
  ...[
    'GET /whatsapp',
    'GET /whatsapp/filter',
    'GET /whatsapp/{id}',
    'GET /whatsapp/all',
    'GET /whatsapp-admin/{id}',
    'POST /whatsapp',
    'PUT /whatsapp/{id}',
    'DELETE /whatsapp/{id}',
    'POST /whatsapp/{id}/media-upload',
    'DELETE /whatsapp/{id}/media-upload',
    'POST /whatsappsession/{id}',
    'PUT /whatsappsession/{id}',
    'DELETE /whatsappsession/{id}',
    ...['POST /whatsapp-restart', 'POST /facebook'],
  ],
  // queues
  ...['GET /queue', 'GET /queue/{id}', 'POST /queue', 'PUT /queue/{id}', 'DELETE /queue/{id}'],
  ...['GET /chatbot/{id}', 'POST /chatbot', 'PUT /chatbot/{id}', 'DELETE /chatbot/{id}'],
  // companies
  'PUT /companies/{id}/schedules',
  // settings
  ...[
    'GET /companySettings/{companyId}',
    'GET /companySettingOne',
    'PUT /companySettings',
    'GET /settings',
    'PUT /settings/{key}',
    'GET /setting/{key}',
    'GET /public-settings/{key}',
    'GET /settings/userCreation',
  ],
  // quick replies
  ...[
    'GET /quick-messages',
    'GET /quick-messages/list',
    'GET /quick-messages/{id}',
    'POST /quick-messages',
    'PUT /quick-messages/{id}',
    'DELETE /quick-messages/{id}',
    'POST /quick-messages/{id}/media-upload',
    'DELETE /quick-messages/{id}/media-upload',
  ],
  // kanban
  ...['GET /ticket/kanban', 'PUT /ticket-tags/{ticketId}/{tagId}', 'DELETE /ticket-tags/{ticketId}'],
  // file lists
  ...['GET /files', 'GET /files/{id}', 'POST /files', 'PUT /files/{id}', 'POST /files/uploadList/{id}', 'DELETE /files/{id}'],
]

/** Named and not there yet. What becomes served moves to the list above. */
export const notYet = [
  // auth
  'POST /auth/signup',
  // messages
  ...[
    'POST /messages/lista/{ticketId}',
    'POST /messages/copy/{id}',
    'POST /messages/call/{id}',
    'POST /messages/URL/{id}',
    'POST /messages/PIX/{id}',
  ],
  // contacts
  ...[
    'GET /contacts/list',
    'GET /contacts/profile/{number}',
    'DELETE /contacts/{id}',
    'PUT /contacts/block/{id}',
    'PUT /contacts/toggleAcceptAudio/{id}',
    'PUT /contacts/toggleDisableBot/{contactId}',
    'POST /contacts/import',
    'POST /contacts/import/chats',
    'POST /contacts/upload',
    'POST /contactsImport',
  ],
  // users
  ...['GET /usersMoments'],
  // dashboard
  ...['GET /dashboard', 'GET /dashboard/ticketsUsers', 'GET /dashboard/ticketsDay', 'GET /dashboard/moments', 'GET /ticketreport/reports'],
  // connections
  ...['POST /closedimported/{id}'],
  // settings
  ...['POST /settings-whitelabel/logo', 'GET /public/{file}'],
  // companies
  ...[
    'GET /companiesPlan',
    'GET /companies',
    'GET /companies/list',
    'GET /companies/{id}',
    'GET /companies/listPlan/{companyId}',
    'POST /companies',
    'PUT /companies/{id}',
    'DELETE /companies/{id}',
  ],
  // plans
  ...['GET /plans/list', 'GET /plans/all', 'GET /plans/{id}', 'POST /plans', 'PUT /plans/{id}', 'DELETE /plans/{id}'],
  // helps
  ...['GET /helps', 'GET /helps/list', 'POST /helps', 'PUT /helps/{id}', 'DELETE /helps/{id}'],
  // announcements
  ...[
    'GET /announcements',
    'GET /announcements/{id}',
    'POST /announcements',
    'PUT /announcements/{id}',
    'DELETE /announcements/{id}',
    'POST /announcements/{id}/media-upload',
    'DELETE /announcements/{id}/media-upload',
  ],
  // internal chat
  ...[
    'GET /chats',
    'POST /chats',
    'PUT /chats/{id}',
    'DELETE /chats/{id}',
    'POST /chats/{id}/read',
    'GET /chats/{id}/messages',
    'POST /chats/{id}/messages',
  ],
  // schedules
  ...[
    'GET /schedules',
    'GET /schedules/{id}',
    'POST /schedules',
    'PUT /schedules/{id}',
    'DELETE /schedules/{id}',
    'POST /schedules/{id}/media-upload',
    'DELETE /schedules/{id}/media-upload',
  ],
  // queue integrations
  ...[
    'GET /queueIntegration',
    'GET /queueIntegration/{id}',
    'POST /queueIntegration',
    'PUT /queueIntegration/{id}',
    'DELETE /queueIntegration/{id}',
    'POST /queueIntegration/testSession',
  ],
  // AI prompts, public API
  ...['GET /prompt', 'GET /prompt/{id}', 'POST /prompt', 'PUT /prompt/{id}', 'DELETE /prompt/{id}', 'POST /messages/send'],
  // campaigns
  ...[
    'GET /campaigns',
    'GET /campaigns/{id}',
    'POST /campaigns',
    'PUT /campaigns/{id}',
    'DELETE /campaigns/{id}',
    'POST /campaigns/{id}/media-upload',
    'DELETE /campaigns/{id}/media-upload',
    'POST /campaigns/{id}/cancel',
    'POST /campaigns/{id}/restart',
    'GET /campaign-settings',
    'POST /campaign-settings',
  ],
  // contact lists
  ...[
    'GET /contact-lists',
    'GET /contact-lists/list',
    'GET /contact-lists/{id}',
    'POST /contact-lists/{id}',
    'PUT /contact-lists/{id}',
    'DELETE /contact-lists/{id}',
    'POST /contact-lists/{id}/upload',
    'GET /contact-list-items',
    'GET /contact-list-items/{id}',
    'POST /contact-list-items',
    'PUT /contact-list-items/{id}',
    'DELETE /contact-list-items/{id}',
  ],
  // flow builder
  ...[
    'GET /flowbuilder',
    'POST /flowbuilder',
    'PUT /flowbuilder',
    'DELETE /flowbuilder/{id}',
    'POST /flowbuilder/duplicate',
    'GET /flowbuilder/flow/{id}',
    'POST /flowbuilder/flow',
    'POST /flowbuilder/content',
    'POST /flowbuilder/audio',
    'POST /flowbuilder/img',
    'GET /flowcampaign',
    'GET /flowcampaign/{id}',
    'POST /flowcampaign',
    'PUT /flowcampaign',
    'DELETE /flowcampaign/{id}',
  ],
  // billing
  ...['POST /subscription', 'GET /invoices/all'],
]

/** Served and not named by the specification: the house's own, and what each is there for. */
export const own: Record<string, string> = {
  'POST /auth/password-link': 'who follows the link to a first or new password is told for whom it is',
  'GET /ticket/kanban/counts': 'how many tickets stand in each lane',
  'GET /checklist': 'what a new company has set up, and what it has not',
  'PUT /users/{id}/away': 'an agent says to be away, or back',
  'POST /users/{id}/password-link': 'a link by which a new user sets the first password',
  'POST /settings/mail/test': 'sends a mail to who asks, to try the mail settings',
  'POST /auth/password': 'sets the password that such a link allows',
  'DELETE /users/{id}/media-upload': 'takes one’s own picture away',
  'GET /security-log': 'sign-ins and what else concerns safety, to be read',
  'GET /security-log/check': 'whether anybody altered that log',
  'GET /audit': 'who changed which row of a plain list, and what it said before',
  'GET /parked': 'tickets that wait at a fact which cannot be applied',
  'POST /parked/{id}/release': 'has a parked ticket tried again',
  'POST /parked/{id}/give-up': 'lets a parked ticket go on without the fact it waits at',
  'GET /works': 'long work and how far it is, found again after a reload',
  'POST /works/{id}/cancel': 'stops long work',
  'GET /works/{id}/errors': 'what long work could not do, as a file',
  'DELETE /works/{id}': 'takes what is finished out of the list',
  'GET /tickets/closeAll': 'how many tickets closing all would close, asked before it is confirmed',
  'POST /tickets/closeAll/undo': 'takes back what closing all did',
  'GET /tickets/listed/close': 'how many tickets of the list would be closed, asked before it is confirmed',
  'POST /tickets/listed/close': 'closes the tickets of the list',
  'POST /tickets/listed/close-work': 'the same as long work, for lists that are long',
  'GET /tickets/unread': 'the counts on the tabs',
  'GET /tickets/{id}/automation': 'what a ticket’s rules did by themselves, and why',
  'POST /tickets/{id}/seen': 'an agent saw what the customer wrote',
  'POST /tickets/{id}/undo': 'takes back an agent’s last act',
  'GET /ticket-history': 'the tickets whose history an auditor may replay',
  'GET /ticket-history/queues': 'what those may be filtered by',
  'GET /ticket-history/key': 'the house’s public key, by which an export is checked',
  'GET /ticket-history/{uuid}': 'the facts of a ticket, to be replayed',
  'GET /ticket-history/{uuid}/chain': 'whether the facts of a ticket are as they were written',
  'GET /ticket-history/{uuid}/records/{revision}': 'a fact as the log holds it',
  'GET /ticket-history/{uuid}/export': 'a ticket’s history as a file that proves itself',
  'PUT /contacts/{id}/tags': 'sets the tags of a contact',
  'GET /messages/failed': 'messages that did not leave, of whoever sent or serves them',
  'POST /messages/{id}/dismiss': 'takes a failed message out of that list',
  'POST /messages/{id}/again': 'sends a failed message again',
  'GET /messages/{ticketId}/search': 'finds words in a conversation',
  'POST /messages/{ticketId}/print': 'a conversation on paper, and the record that it was printed',
  'GET /companies/{id}/schedules': 'the hours and holidays that are set',
  'PUT /companies/{id}/holidays': 'A-HOURS-HOLIDAY',
  'GET /companies/{id}/holidays/proposed': 'A-HOURS-HOLIDAY',
  'POST /sandbox/{connectionId}/scan': 'sandbox: the company’s own phone reads the code',
  'GET /sandbox/{connectionId}/customers': 'sandbox: the customers’ phones',
  'GET /sandbox/{connectionId}/phone/{number}': 'sandbox: what one phone shows',
  'POST /sandbox/{connectionId}/inbound': 'sandbox: a customer writes',
  'GET /sandbox/{connectionId}/outbox': 'sandbox: what was sent to customers',
  'POST /sandbox/{connectionId}/session': 'sandbox: the network says how the connection stands',
  'POST /sandbox/{connectionId}/marks': 'sandbox: a message was delivered or read',
  'POST /sandbox/{connectionId}/faults': 'sandbox: the provider fails',
  'GET /sandbox/clock': 'sandbox: how late it is in the house',
  'POST /sandbox/clock': 'sandbox: time goes by',
}
