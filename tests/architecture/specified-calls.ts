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
    'POST /messages/lista/{ticketId}',
    'POST /messages/copy/{id}',
    'POST /messages/call/{id}',
    'POST /messages/URL/{id}',
    'POST /messages/PIX/{id}',
    'POST /message/forward',
  ],
  // contacts
  ...[
    ...['GET /contacts', 'GET /contacts/list', 'POST /contactsImport', 'POST /contacts/upload'],
    ...['POST /contacts/import', 'POST /contacts/import/chats'],
    'GET /contacts/profile/{number}',
    'GET /contacts/{id}',
    'POST /contacts',
    'PUT /contacts/{id}',
    ...[
      'PUT /contacts/toggleAcceptAudio/{id}',
      'PUT /contacts/toggleDisableBot/{contactId}',
      'PUT /contacts/block/{id}',
      'DELETE /contacts/{id}',
    ],
    'GET /contactTags/{contactId}',
  ],
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
    ...['POST /whatsapp-restart', 'POST /closedimported/{id}', 'POST /facebook'],
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
  // dashboard
  ...['GET /dashboard', 'GET /dashboard/ticketsUsers', 'GET /dashboard/ticketsDay', 'GET /dashboard/moments', 'GET /usersMoments'],
  'GET /ticketreport/reports',
  // file lists
  ...['GET /files', 'GET /files/{id}', 'POST /files', 'PUT /files/{id}', 'POST /files/uploadList/{id}', 'DELETE /files/{id}'],
]

/** Specified and not served yet. A call that becomes served moves to the list above. */
export const notYet = [
  // auth
  'POST /auth/signup',
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
