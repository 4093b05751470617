// Written by `npm run generate` from the description of the API. Not to be edited.

export interface paths {
  '/v1/devices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List devices of all kinds */
    get: operations['AllDevices_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many hosts, in one change */
    put: operations['ManyHostsVariables_put'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List hosts */
    get: operations['Hosts_list'];
    put?: never;
    /** Create a host, or several in one change */
    post: operations['Hosts_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a host */
    get: operations['Hosts_show'];
    /** Change members of a host; other members do not change */
    put: operations['Hosts_update'];
    post?: never;
    /** Delete a host that is not in use */
    delete: operations['Hosts_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/labels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the labels of a host */
    get: operations['HostLabels_get'];
    /** Add labels to a host */
    put: operations['HostLabels_add'];
    post?: never;
    /** Remove labels from a host */
    delete: operations['HostLabels_remove'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a host */
    get: operations['HostVariables_get'];
    /** Set variables of a host; other variables do not change */
    put: operations['HostVariables_put'];
    post?: never;
    /** Delete variables of a host */
    delete: operations['HostVariables_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/variables/explain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Explain which levels the variables of a host come from */
    get: operations['HostExplanations_explain'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a host */
    get: operations['HostVariable_get'];
    /** Set one variable of a host */
    put: operations['HostVariable_put'];
    post?: never;
    /** Delete one variable of a host */
    delete: operations['HostVariable_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many network-devices, in one change */
    put: operations['ManyNetworkDevicesVariables_put'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List network-devices */
    get: operations['NetworkDevices_list'];
    put?: never;
    /** Create a network device, or several in one change */
    post: operations['NetworkDevices_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a network device */
    get: operations['NetworkDevices_show'];
    /** Change members of a network device; other members do not change */
    put: operations['NetworkDevices_update'];
    post?: never;
    /** Delete a network device that is not in use */
    delete: operations['NetworkDevices_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/labels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the labels of a network-device */
    get: operations['NetworkDeviceLabels_get'];
    /** Add labels to a network-device */
    put: operations['NetworkDeviceLabels_add'];
    post?: never;
    /** Remove labels from a network-device */
    delete: operations['NetworkDeviceLabels_remove'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a network-device */
    get: operations['NetworkDeviceVariables_get'];
    /** Set variables of a network-device; other variables do not change */
    put: operations['NetworkDeviceVariables_put'];
    post?: never;
    /** Delete variables of a network-device */
    delete: operations['NetworkDeviceVariables_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/variables/explain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Explain which levels the variables of a network-device come from */
    get: operations['NetworkDeviceExplanations_explain'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a network-device */
    get: operations['NetworkDeviceVariable_get'];
    /** Set one variable of a network-device */
    put: operations['NetworkDeviceVariable_put'];
    post?: never;
    /** Delete one variable of a network-device */
    delete: operations['NetworkDeviceVariable_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List projects */
    get: operations['Projects_list'];
    put?: never;
    /** Create a project */
    post: operations['Projects_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a project */
    get: operations['Projects_show'];
    /** Change members of a project; other members do not change */
    put: operations['Projects_update'];
    post?: never;
    /** Delete a project that is not in use */
    delete: operations['Projects_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects/{id}/settings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the settings of a project: rules for its changes, and private variables */
    get: operations['Settings_show'];
    /** Update the settings of a project: rules for its changes, and private variables */
    put: operations['Settings_update'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List users */
    get: operations['Users_list'];
    put?: never;
    /** Create a user, or several in one change */
    post: operations['Users_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a user */
    get: operations['Users_show'];
    /** Change members of a user; other members do not change */
    put: operations['Users_update'];
    post?: never;
    /** Delete a user that is not in use */
    delete: operations['Users_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/api-key': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create an API key for a user and revoke the user's other keys */
    post: operations['ApiKeys_newKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/api-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List api-keys of a user */
    get: operations['UserKeys_list'];
    put?: never;
    /** Create a further API key for a user; the user's other keys stay valid */
    post: operations['UserKeys_add'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/api-keys/{key_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Revoke one of a user's API keys */
    delete: operations['UserKeys_end'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/whoami': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show who makes the request: user, project, roles and API key */
    get: operations['Whoami_show'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a user */
    get: operations['UserVariables_get'];
    /** Set variables of a user; other variables do not change */
    put: operations['UserVariables_put'];
    post?: never;
    /** Delete variables of a user */
    delete: operations['UserVariables_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a user */
    get: operations['UserVariable_get'];
    /** Set one variable of a user */
    put: operations['UserVariable_put'];
    post?: never;
    /** Delete one variable of a user */
    delete: operations['UserVariable_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the session of the request: user, project, and which projects can be entered */
    get: operations['Session_show'];
    /** Enter another project */
    put: operations['Session_enter'];
    /** Start a session in the project of the request, with an API key in the headers */
    post: operations['Session_start'];
    /** End the session: sign out */
    delete: operations['Session_end'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sign-in': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show how users can sign in */
    get: operations['SignIn_show'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/session/oidc': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Sign in at the OpenID provider, with a browser */
    get: operations['SignIn_begin'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/session/oidc/callback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Complete a sign-in: the OpenID provider sends the browser here */
    get: operations['SignIn_complete'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clouds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List clouds */
    get: operations['Clouds_list'];
    put?: never;
    /** Create a cloud, or several in one change */
    post: operations['Clouds_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clouds/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a cloud */
    get: operations['Clouds_show'];
    /** Change members of a cloud; other members do not change */
    put: operations['Clouds_update'];
    post?: never;
    /** Delete a cloud that is not in use */
    delete: operations['Clouds_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many regions, in one change */
    put: operations['ManyRegionsVariables_put'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List regions */
    get: operations['Regions_list'];
    put?: never;
    /** Create a region, or several in one change */
    post: operations['Regions_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a region */
    get: operations['Regions_show'];
    /** Change members of a region; other members do not change */
    put: operations['Regions_update'];
    post?: never;
    /** Delete a region that is not in use */
    delete: operations['Regions_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a region */
    get: operations['RegionVariables_get'];
    /** Set variables of a region; other variables do not change */
    put: operations['RegionVariables_put'];
    post?: never;
    /** Delete variables of a region */
    delete: operations['RegionVariables_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a region */
    get: operations['RegionVariable_get'];
    /** Set one variable of a region */
    put: operations['RegionVariable_put'];
    post?: never;
    /** Delete one variable of a region */
    delete: operations['RegionVariable_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many cells, in one change */
    put: operations['ManyCellsVariables_put'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List cells */
    get: operations['Cells_list'];
    put?: never;
    /** Create a cell, or several in one change */
    post: operations['Cells_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a cell */
    get: operations['Cells_show'];
    /** Change members of a cell; other members do not change */
    put: operations['Cells_update'];
    post?: never;
    /** Delete a cell that is not in use */
    delete: operations['Cells_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a cell */
    get: operations['CellVariables_get'];
    /** Set variables of a cell; other variables do not change */
    put: operations['CellVariables_put'];
    post?: never;
    /** Delete variables of a cell */
    delete: operations['CellVariables_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}/variables/explain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Explain which levels the variables of a cell come from */
    get: operations['CellExplanations_explain'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a cell */
    get: operations['CellVariable_get'];
    /** Set one variable of a cell */
    put: operations['CellVariable_put'];
    post?: never;
    /** Delete one variable of a cell */
    delete: operations['CellVariable_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many labels, in one change */
    put: operations['ManyLabelsVariables_put'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List labels */
    get: operations['Labels_list'];
    put?: never;
    /** Create a label, or several in one change */
    post: operations['Labels_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a label */
    get: operations['Labels_show'];
    /** Change members of a label; other members do not change */
    put: operations['Labels_update'];
    post?: never;
    /** Delete a label that is not in use */
    delete: operations['Labels_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a label */
    get: operations['LabelVariables_get'];
    /** Set variables of a label; other variables do not change */
    put: operations['LabelVariables_put'];
    post?: never;
    /** Delete variables of a label */
    delete: operations['LabelVariables_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a label */
    get: operations['LabelVariable_get'];
    /** Set one variable of a label */
    put: operations['LabelVariable_put'];
    post?: never;
    /** Delete one variable of a label */
    delete: operations['LabelVariable_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/access-secrets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List access-secrets */
    get: operations['AccessSecrets_list'];
    put?: never;
    /** Create an access secret, or several in one change */
    post: operations['AccessSecrets_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/access-secrets/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show an access secret */
    get: operations['AccessSecrets_show'];
    /** Change members of an access secret; other members do not change */
    put: operations['AccessSecrets_update'];
    post?: never;
    /** Delete an access secret that is not in use */
    delete: operations['AccessSecrets_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/feed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Follow changes from a cursor: each change is delivered once */
    get: operations['Feed_read'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes */
    get: operations['Changes_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/counts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count changes in equally long intervals of time */
    get: operations['Changes_count'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a change */
    get: operations['Changes_show'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/{id}/objects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List all objects of a change, in the order in which the change touched them */
    get: operations['ChangeObjects_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/{id}/revert': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revert a change, or several, with a new change */
    post: operations['Revert_revert'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/{id}/impact': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Devices whose resolved variables a change altered */
    get: operations['PastImpact_show'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a project */
    get: operations['ProjectChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/access-secrets/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of an access secret */
    get: operations['AccessSecretChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clouds/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a cloud */
    get: operations['CloudChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a region */
    get: operations['RegionChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a cell */
    get: operations['CellChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a label */
    get: operations['LabelChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a user */
    get: operations['UserChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a host */
    get: operations['HostChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a network device */
    get: operations['NetworkDeviceChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-definitions/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a variable definition */
    get: operations['VariableDefinitionChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of an audit */
    get: operations['AuditChanges_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List all places where variables are set, in the order of key, kind and id */
    get: operations['VariablePlaces_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the keys of variables, and count the resources that set and resolve them */
    get: operations['VariableKeys_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/devices/counts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count devices, in groups */
    get: operations['Statistics_countDevices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-keys/{key}/values': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count the devices that resolve a variable to each of its values */
    get: operations['Statistics_countValues'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Search resources of all kinds, and variables */
    get: operations['Search_search'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-definitions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List variable-definitions */
    get: operations['VariableDefinitions_list'];
    put?: never;
    /** Create a variable definition, or several in one change */
    post: operations['VariableDefinitions_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-definitions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a variable definition */
    get: operations['VariableDefinitions_show'];
    /** Change members of a variable definition; other members do not change */
    put: operations['VariableDefinitions_update'];
    post?: never;
    /** Delete a variable definition that is not in use */
    delete: operations['VariableDefinitions_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-definitions/{id}/violations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List values that violate a variable definition because they are older than it */
    get: operations['Violations_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List audits */
    get: operations['Audits_list'];
    put?: never;
    /** Create an audit, or several in one change */
    post: operations['Audits_create'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show an audit */
    get: operations['Audits_show'];
    /** Change members of an audit; other members do not change */
    put: operations['Audits_update'];
    post?: never;
    /** Delete an audit that is not in use */
    delete: operations['Audits_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits/{id}/run': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Run an audit: count the devices that pass, and list those that fail with their values */
    post: operations['AuditActions_run'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits/{id}/remediate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Set the value that an audit expects at a level, or preview it with `dry_run` */
    post: operations['AuditActions_remediate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Export the inventory of the project as a stream, from one consistent snapshot */
    get: operations['Export_export'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Import an inventory: create and update resources, identified by name, in one change */
    post: operations['Import_import'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ansible-inventory': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The hosts of the project as an Ansible inventory, streamed from one consistent snapshot */
    get: operations['AnsibleInventory_inventory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/prometheus-sd': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The hosts of the project as Prometheus targets, streamed from one consistent snapshot */
    get: operations['PrometheusSd_discover'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/salt-pillar': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The resolved variables of a host, as a Salt pillar */
    get: operations['SaltPillar_pillar'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/puppet-enc': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The resolved variables of a host, in the format of a Puppet external node classifier (ENC) */
    get: operations['PuppetEnc_classify'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    StartLinkView: {
      /** @enum {string} */
      rel: 'documentation' | 'openapi' | 'readiness';
      href: string;
    };
    StartView: {
      name: string;
      links: components['schemas']['StartLinkView'][];
    };
    ErrorDetailView: {
      /** @description The invalid member, parameter or header. */
      field: string;
      message: string;
    };
    ErrorView: {
      /**
       * @description A stable code for programs.
       * @enum {string}
       */
      code:
        | 'invalid_request'
        | 'unauthenticated'
        | 'forbidden'
        | 'not_found'
        | 'validation_exception'
        | 'method_not_allowed'
        | 'conflict'
        | 'version_mismatch'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'too_many_requests'
        | 'internal_error'
        | 'unavailable';
      message: string;
      details: components['schemas']['ErrorDetailView'][];
      /** @description Identifies the request in the log. */
      request_id: string;
    };
    StatusView: {
      status: string;
    };
    ReadinessView: {
      /**
       * @description `degraded`: requests for some projects cannot be handled.
       * @enum {string}
       */
      status: 'ok' | 'degraded';
      /** @description What is degraded. */
      message?: string;
    };
    LinkView: {
      /** Format: uri */
      href: string;
      rel: string;
    };
    HostView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique among the devices of the project. */
      name: string;
      /** Format: int64 */
      region_id: number;
      /** Format: int64 */
      cell_id: number | null;
      /** Format: int64 */
      parent_id: number | null;
      /** @description The IP address on the control plane. */
      ip_address: string;
      device_type: string;
      active: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** Format: int64 */
      access_secret_id: number | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: {
        [key: string]: unknown;
      };
      /** @description The link `up` leads to the parent device; without a parent to the cell, and without a cell to the region. */
      links: components['schemas']['LinkView'][];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['ExplanationView'];
      };
    };
    NetworkDeviceView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique among the devices of the project. */
      name: string;
      /** Format: int64 */
      region_id: number;
      /** Format: int64 */
      cell_id: number | null;
      /** Format: int64 */
      parent_id: number | null;
      /** @description The IP address on the control plane. */
      ip_address: string;
      device_type: string;
      active: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** Format: int64 */
      access_secret_id: number | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: {
        [key: string]: unknown;
      };
      /** @description The link `up` leads to the parent device; without a parent to the cell, and without a cell to the region. */
      links: components['schemas']['LinkView'][];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['ExplanationView'];
      };
      model_name: string | null;
      os_version: string | null;
      /** @description Any JSON value, or `null`. */
      vlans: (unknown[] | Record<string, never> | string | number | boolean) | null;
    };
    SetOutcomeView: {
      /** @description How many resources were selected. */
      matched: number;
      /** @description How many resources were changed. */
      updated: number;
      /** @description How many resources already had these values and were not changed. */
      unchanged: number;
    };
    AffectedDeviceView: {
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      /** @description Both sides of every resolved variable that changes; a side is absent where the key is not set. */
      changes: {
        [key: string]: unknown;
      };
    };
    PreviewedImpactView: {
      /**
       * Format: int64
       * @description How many devices get a different resolved value of some variable. The number is exact.
       */
      devices: number;
      /** @description The keys of these variables, sorted. */
      keys: string[];
      /** @description A page of the devices, sorted by id. */
      items: components['schemas']['AffectedDeviceView'][];
      /** @description `self`, and `first` and `next` if these pages exist. */
      links: components['schemas']['LinkView'][];
    };
    TriedSetView: {
      /** @description How many resources were selected. */
      matched: number;
      /** @description How many resources were changed. */
      updated: number;
      /** @description How many resources already had these values and were not changed. */
      unchanged: number;
      dry_run: boolean;
      impact: components['schemas']['PreviewedImpactView'];
    };
    ActorView: {
      /**
       * Format: int64
       * @description `null` for a command.
       */
      id: number | null;
      /** @description The username at the time of the change. */
      username: string;
    };
    ImpactCountView: {
      /**
       * Format: int64
       * @description How many devices got a different resolved value of some variable.
       */
      devices: number;
    };
    ChangedObjectView: {
      kind: string;
      id: number | string;
      name: string;
      /** @enum {string} */
      action: 'create' | 'update' | 'delete';
      before: {
        [key: string]: unknown;
      } | null;
      after: {
        [key: string]: unknown;
      } | null;
      /** @description Both sides of every variable that changed; a side is absent where the key is not set. */
      variables: {
        [key: string]: unknown;
      };
    };
    TriedChangeView: {
      /** Format: uuid */
      project_id: string;
      actor: components['schemas']['ActorView'];
      request_id: string;
      reason: string | null;
      /** @description `null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private. */
      impact: components['schemas']['ImpactCountView'] | null;
      /**
       * Format: int64
       * @description How many resources it touched that the caller may see.
       */
      objects_total: number;
      /** @description In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them. */
      objects: components['schemas']['ChangedObjectView'][];
      /** Format: int64 */
      id: number | null;
      created_at: string | null;
    };
    PreviewView: {
      dry_run: boolean;
      /** @description The record that the change would store. */
      change: components['schemas']['TriedChangeView'];
      impact: components['schemas']['PreviewedImpactView'];
    };
    SetVariables: {
      /** @description The ids of the resources to change. Without `ids`, the filters in the query select them; a filter that matches every resource does not count. */
      ids?: number[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables: {
        [key: string]: unknown;
      };
    };
    CreateHost: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description The device's cell. It must be in the device's region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The parent device, in the same project. It must not be the device itself or one of its descendants.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The access secret for the device.
       */
      access_secret_id?: number | null;
      /** @description Unique among the devices of the project. */
      name: string;
      /**
       * Format: int64
       * @description The device's region.
       */
      region_id: number;
      ip_address: string;
      device_type: string;
    };
    UpdateHost: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description The device's cell. It must be in the device's region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The parent device, in the same project. It must not be the device itself or one of its descendants.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The access secret for the device.
       */
      access_secret_id?: number | null;
      /** @description Unique among the devices of the project. */
      name?: string;
      /**
       * Format: int64
       * @description The device's region.
       */
      region_id?: number;
      ip_address?: string;
      device_type?: string;
    };
    LabelSet: {
      labels: string[];
    };
    VariablesView: {
      variables: {
        [key: string]: unknown;
      };
    };
    LevelView: {
      /** @description The username at the time of the change. `null`, as `reason` and `change_id`, for callers who cannot read change records. */
      set_by: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      set_at: string;
      reason: string | null;
      /**
       * Format: int64
       * @description The id of the change that set it.
       */
      change_id: number | null;
      /** @description `region`, `cell`, `label`, or the kind of the device. */
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      value:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
      /** @description Whether a narrower level overrides it. */
      shadowed: boolean;
    };
    ExplanationView: {
      value:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
      /** @description The level that the value comes from. */
      source: components['schemas']['LevelView'];
      /** @description The levels that set the key, broadest first. */
      levels: components['schemas']['LevelView'][];
    };
    ExplanationsView: {
      variables: {
        [key: string]: components['schemas']['ExplanationView'];
      };
    };
    VariableView: {
      key: string;
      value:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
    };
    VariableValue: {
      value:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
    };
    CreateNetworkDevice: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description The device's cell. It must be in the device's region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The parent device, in the same project. It must not be the device itself or one of its descendants.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The access secret for the device.
       */
      access_secret_id?: number | null;
      /** @description Unique among the devices of the project. */
      name: string;
      /**
       * Format: int64
       * @description The device's region.
       */
      region_id: number;
      ip_address: string;
      device_type: string;
      /** @description The model. */
      model_name?: string | null;
      /** @description The version of the operating system. */
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: (unknown[] | Record<string, never> | string | number | boolean) | null;
    };
    UpdateNetworkDevice: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description The device's cell. It must be in the device's region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The parent device, in the same project. It must not be the device itself or one of its descendants.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The access secret for the device.
       */
      access_secret_id?: number | null;
      /** @description Unique among the devices of the project. */
      name?: string;
      /**
       * Format: int64
       * @description The device's region.
       */
      region_id?: number;
      ip_address?: string;
      device_type?: string;
      /** @description The model. */
      model_name?: string | null;
      /** @description The version of the operating system. */
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: (unknown[] | Record<string, never> | string | number | boolean) | null;
    };
    ProjectView: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description Unique in the deployment. */
      name: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      version: number;
    };
    CreateProject: {
      /** @description Unique in the deployment. */
      name: string;
    };
    UpdateProject: {
      /** @description Unique in the deployment. */
      name?: string;
    };
    ChangeReasonView: {
      /** @description Whether every change needs a reason. */
      required: boolean;
      /** @description A regular expression (RE2) that a part of the reason must match; `null`: any reason is accepted. */
      pattern: string | null;
    };
    ProjectSettingsView: {
      /** Format: uuid */
      project_id: string;
      /** @description `null`: no reason is required. */
      change_reason: components['schemas']['ChangeReasonView'] | null;
      /** @description The keys that are hidden from callers without a role for them: a key, or a prefix followed by `*`. */
      private: string[];
      /** @description Whether a device cannot get an address that another device of the project has. */
      unique_addresses: boolean;
      /** @description Whether users without roles see no other users and no change records, and create no API keys. */
      restricts_readers: boolean;
      /** @description `null` until they are set for the first time. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description 0 until they are set for the first time. */
      version: number;
    };
    UpdateSettings: {
      /** @description `null`: no reason is required. */
      change_reason?: components['schemas']['ChangeReasonView'] | null;
      /** @description Keys, or prefixes of keys followed by `*`. The whole set; `private:db_password` is the same key. */
      private?: string[];
      /** @description Whether a device cannot get an address that another device of the project has. Existing devices are not checked. */
      unique_addresses?: boolean;
      /** @description Whether users without roles see no other users and no change records, and create no API keys. */
      restricts_readers?: boolean;
    };
    CreateUser: {
      is_admin?: boolean;
      /** @description Only root can set it. */
      is_root?: boolean;
      /** @description `<collection>:write`, `*:write`; a variable key, or a prefix of keys followed by `*`. */
      roles?: string[];
      /** @description Unique in the project. */
      username: string;
    };
    UserWithKeyView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
      /** @description Only this response contains it. */
      api_key: string;
    };
    UserView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
    };
    UpdateUser: {
      is_admin?: boolean;
      /** @description Only root can set it. */
      is_root?: boolean;
      /** @description `<collection>:write`, `*:write`; a variable key, or a prefix of keys followed by `*`. */
      roles?: string[];
      /** @description Unique in the project. */
      username?: string;
    };
    NewApiKeyBody: {
      /** @description When the key expires, in UTC or with an offset such as `+01:00`; a date alone is midnight. If omitted or `null`, the key never expires; for a caller who is not an admin, it expires with the API key of the request. A later time is rejected with `400`. */
      expires_at?: string | null;
    };
    ApiKeyView: {
      /**
       * Format: int64
       * @description The position in the list, for `marker`.
       */
      id: number;
      /** @description The part of the key between the underscores. */
      key_id: string;
      /** @enum {string} */
      state: 'in use' | 'expired' | 'revoked';
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description When the key expires; `null`: never. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      expires_at: string | null;
      /** @description When the key was revoked; `null` if it was not. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      revoked_at: string | null;
    };
    CallerView: {
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
      /** Format: int64 */
      user_id: number;
      /**
       * Format: uuid
       * @description The project of the request.
       */
      project_id: string;
      project_name: string;
      /** @description The id of the API key of the request; `null` with a token of Keystone or of an OpenID provider. */
      key_id: string | null;
      /** @description When this key expires; `null`: never. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      key_expires_at: string | null;
    };
    SessionUserView: {
      /** Format: int64 */
      id: number;
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
    };
    SessionProjectView: {
      /** Format: uuid */
      id: string;
      name: string;
    };
    SessionView: {
      user: components['schemas']['SessionUserView'];
      /** @description The project in which all requests are made. */
      project: components['schemas']['SessionProjectView'];
      /** @description The projects that the user can enter, ordered by name. A root user can enter all; the first 1,000 are listed. */
      projects: components['schemas']['SessionProjectView'][];
      /** @enum {string} */
      method: 'api-key' | 'oidc';
      /** @description The time of the sign-in. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description When the session ends at the latest. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      expires_at: string;
      /** @description When the session ends without a further request. Requests postpone it, once a minute. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      idle_expires_at: string;
    };
    EnterProject: {
      /** Format: uuid */
      project_id: string;
    };
    SignOutView: {
      sign_out_url: string;
    };
    OidcClientView: {
      issuer: string;
      /** @description The client of programs on the machine of a user. */
      client_id: string;
      scope: string;
    };
    SignInView: {
      methods: ('api-key' | 'oidc')[];
      /** @description The name of the OpenID provider; `null` without one. */
      oidc_name: string | null;
      /** @description What a command-line client needs to get access tokens; `null` without an OpenID provider. */
      oidc: components['schemas']['OidcClientView'] | null;
    };
    CreateCloud: {
      /** @description Unique in the project. */
      name: string;
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
    };
    CloudView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      note: string | null;
    };
    UpdateCloud: {
      /** @description Unique in the project. */
      name?: string;
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
    };
    CreateRegion: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description Unique in the project. */
      name: string;
      /**
       * Format: int64
       * @description The cloud that the region belongs to.
       */
      cloud_id?: number | null;
    };
    RegionCellView: {
      /** Format: int64 */
      id: number;
      name: string;
    };
    RegionView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      /** Format: int64 */
      cloud_id: number | null;
      /** @description A summary of the region's cells, sorted by name. */
      cells: components['schemas']['RegionCellView'][];
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: {
        [key: string]: unknown;
      };
    };
    UpdateRegion: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description Unique in the project. */
      name?: string;
      /**
       * Format: int64
       * @description The cloud that the region belongs to.
       */
      cloud_id?: number | null;
      /** @description Cells to move into this region, with their devices. Other cells do not move. */
      cells?: (
        | number
        | {
            id?: number;
          }
      )[];
    };
    CreateCell: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description Unique in the region. */
      name: string;
      /**
       * Format: int64
       * @description The cell's region.
       */
      region_id: number;
    };
    CellView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the region. */
      name: string;
      /** Format: int64 */
      region_id: number;
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: {
        [key: string]: unknown;
      };
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['ExplanationView'];
      };
    };
    UpdateCell: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description Unique in the region. */
      name?: string;
      /**
       * Format: int64
       * @description The cell's current region. To move a cell, use `PUT /v1/regions/{id}`.
       */
      region_id?: number;
    };
    CreateLabel: {
      label: string;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
    };
    LabelView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description The name. `key:value` is a convention, not a rule. */
      label: string;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: {
        [key: string]: unknown;
      };
    };
    UpdateLabel: {
      label?: string;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
    };
    CreateAccessSecret: {
      /** @description Encrypted at rest. */
      cert: string;
    };
    AccessSecretView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
    };
    OpenAccessSecretView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description The current content. Only this response contains it; change records do not, so it is absent with `at`. */
      cert?: string;
    };
    UpdateAccessSecret: {
      /** @description Encrypted at rest. */
      cert?: string;
    };
    PastImpactView: {
      /** @description A page of the devices whose resolved variables the change altered, ordered by id. */
      items: components['schemas']['AffectedDeviceView'][];
      /** @description `next`, if there can be more devices. A page can be short or empty before the last one. */
      links: components['schemas']['LinkView'][];
    };
    FollowedChangeView: {
      /** Format: uuid */
      project_id: string;
      actor: components['schemas']['ActorView'];
      request_id: string;
      reason: string | null;
      /** @description `null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private. */
      impact: components['schemas']['ImpactCountView'] | null;
      /**
       * Format: int64
       * @description How many resources it touched that the caller may see.
       */
      objects_total: number;
      /** @description In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them. */
      objects: components['schemas']['ChangedObjectView'][];
      /** Format: int64 */
      id: number;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description The devices whose resolved variables the change altered. Only with `resolved=true`. */
      resolved?: components['schemas']['PastImpactView'];
    };
    FeedView: {
      /** @description The changes. A change always comes after the changes that it depends on. */
      changes: components['schemas']['FollowedChangeView'][];
      /** @description The position after these changes, for `after` in the next request. */
      cursor: string;
    };
    ChangeRecordView: {
      /** Format: uuid */
      project_id: string;
      actor: components['schemas']['ActorView'];
      request_id: string;
      reason: string | null;
      /** @description `null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private. */
      impact: components['schemas']['ImpactCountView'] | null;
      /**
       * Format: int64
       * @description How many resources it touched that the caller may see.
       */
      objects_total: number;
      /** @description In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them. */
      objects: components['schemas']['ChangedObjectView'][];
      /** Format: int64 */
      id: number;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
    };
    ChangeIntervalView: {
      /** @description The beginning. With `since` and `until` as filters, `GET /v1/changes` lists the changes. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      since: string;
      /** @description The end, which does not belong to the interval. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      until: string;
      changes: number;
    };
    ChangeCountsView: {
      /** @description The number of changes that match the filters. */
      changes: number;
      /** @description The intervals in order of time, without gaps. Their lengths differ by at most one microsecond. There are fewer than requested only if the whole range has fewer microseconds than that, and none if it is empty. */
      intervals: components['schemas']['ChangeIntervalView'][];
    };
    RevertChange: {
      /** @description The ids of further changes of the same project. All are reverted by one new change, newest first, so that a change is no conflict for an older one. */
      additional_ids?: number[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
    };
    VariablePlaceView: {
      /** @description The username at the time of the change. `null`, as `reason` and `change_id`, for callers who cannot read change records. */
      set_by: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      set_at: string;
      reason: string | null;
      /**
       * Format: int64
       * @description The id of the change that set it.
       */
      change_id: number | null;
      key: string;
      /** @description `region`, `cell`, `label`, or the kind of the device. */
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      /** Format: uuid */
      project_id: string;
      value:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
      /** @description `owner` is the resource that the variable is set on. */
      links: components['schemas']['LinkView'][];
    };
    VariableKeyView: {
      key: string;
      /** Format: uuid */
      project_id: string;
      /** @description How many devices resolve the key to a value, own or inherited. */
      resolved_by: number;
      /** @description How many regions set it. */
      regions: number;
      /** @description How many cells set it. */
      cells: number;
      /** @description How many labels set it. */
      labels: number;
      /** @description How many hosts set it. */
      hosts: number;
      /** @description How many network-devices set it. */
      'network-devices': number;
    };
    GroupReferenceView: {
      /** Format: int64 */
      id: number;
      name: string;
    };
    DeviceGroupView: {
      region?: components['schemas']['GroupReferenceView'];
      /** @description `null` for devices that are in no cell. */
      cell?: components['schemas']['GroupReferenceView'] | null;
      /** @description A device with several labels is in several groups, and a device without labels is in none. */
      label?: components['schemas']['GroupReferenceView'];
      /** @enum {string} */
      kind?: 'host' | 'network-device';
      active?: boolean;
      device_type?: string;
      devices: number;
    };
    DeviceCountsView: {
      /** @description The number of devices that match the filters. */
      devices: number;
      /** @description The number of groups, including those beyond `limit`; 0 without `group_by`. */
      group_count: number;
      /** @description The groups with the most devices, the largest first. */
      groups: components['schemas']['DeviceGroupView'][];
    };
    CountedValueView: {
      value:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
      devices: number;
    };
    GroupDistributionView: {
      /** @description The number of devices that match the filters. */
      devices: number;
      /** @description How many of them resolve the key to no value, or to a value without the `path`. */
      without: number;
      /** @description The number of different values, including those that are not in `values`. */
      distinct: number;
      /** @description The most frequent values, at most `limit`, the most frequent first. All values of a response together have at most 4 MiB; use `path` to count a part of large values. */
      values: components['schemas']['CountedValueView'][];
      region?: components['schemas']['GroupReferenceView'];
      cell?: components['schemas']['GroupReferenceView'] | null;
      label?: components['schemas']['GroupReferenceView'];
      /** @enum {string} */
      kind?: 'host' | 'network-device';
    };
    VariableValuesView: {
      /** @description The number of devices that match the filters. */
      devices: number;
      /** @description How many of them resolve the key to no value, or to a value without the `path`. */
      without: number;
      /** @description The number of different values, including those that are not in `values`. */
      distinct: number;
      /** @description The most frequent values, at most `limit`, the most frequent first. All values of a response together have at most 4 MiB; use `path` to count a part of large values. */
      values: components['schemas']['CountedValueView'][];
      key: string;
      /** @description With `group_by`: the distribution in each group, the largest group first, at most `limit`. A device with several labels is in several groups, and a device without labels is in none. */
      groups?: components['schemas']['GroupDistributionView'][];
    };
    PlaceView: {
      /** Format: int64 */
      id: number;
      name: string;
    };
    SearchHitView: {
      /** @enum {string} */
      kind:
        | 'project'
        | 'region'
        | 'cell'
        | 'label'
        | 'host'
        | 'network-device'
        | 'cloud'
        | 'user'
        | 'audit'
        | 'variable-definition'
        | 'access-secret'
        | 'variable-key';
      /** @description A UUID for a project. `null` for the key of a variable. */
      id: (number | string) | null;
      /** @description The name, the label, the username or the key. */
      name: string;
      /** @description The region of a cell or a device; `null` for other kinds. */
      region: components['schemas']['PlaceView'] | null;
      /** @description The cell of a device, if any. */
      cell: components['schemas']['PlaceView'] | null;
      /**
       * @description How the text matches: the whole member, its beginning, a network that contains the address, the value of a variable, or a part of a name.
       * @enum {string}
       */
      match: 'exact' | 'prefix' | 'network' | 'value' | 'substring';
      /** @description The member that matches; `variables` for a value. */
      member: string;
      /** @description The key of the variable, if its value matches. */
      key: string | null;
      /** @description The URL of the resource. */
      href: string;
    };
    SearchResultView: {
      /** @description The best hits first, at most `limit`. */
      hits: components['schemas']['SearchHitView'][];
      /** @description Whether names that contain the text were searched, too. `false` if the database does not have the extension `pg_trgm`, or if the text does not contain three ASCII letters or digits in a row. */
      substrings: boolean;
    };
    CreateVariableDefinition: {
      /** @description A variable key, or a key prefix followed by `*`. Unique in the project. */
      key: string;
      /** @description The purpose of the variable. */
      description?: string | null;
      /** @description A JSON Schema of draft 2020-12, or of draft-07 if `$schema` names it. At most 64 KiB and 64 levels deep. */
      schema:
        | {
            [key: string]: unknown;
          }
        | boolean;
    };
    VariableDefinitionView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description A variable key, or a key prefix followed by `*`. Unique in the project. */
      key: string;
      description: string | null;
      /** @description The JSON Schema for every value of these keys. */
      schema:
        | {
            [key: string]: unknown;
          }
        | boolean;
    };
    UpdateVariableDefinition: {
      /** @description A variable key, or a key prefix followed by `*`. Unique in the project. */
      key?: string;
      /** @description The purpose of the variable. */
      description?: string | null;
      /** @description A JSON Schema of draft 2020-12, or of draft-07 if `$schema` names it. At most 64 KiB and 64 levels deep. */
      schema?:
        | {
            [key: string]: unknown;
          }
        | boolean;
    };
    ViolationView: {
      /** @description The kind of the resource that sets the variable. */
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      key: string;
      /** @description The value that the resource sets. */
      value:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
      /** @description The location of the violation in the value, as a JSON pointer. */
      path: string;
      message: string;
    };
    ExpectationView: {
      /** @description Filters on resolved variables. All of them must match. */
      vars?: string;
      /** @description The variable whose resolved value is validated against `schema`. */
      key?: string;
      /** @description The JSON Schema for the resolved value of `key`. A device on which the variable is not set fails. */
      schema?:
        | {
            [key: string]: unknown;
          }
        | boolean;
      /** @description The value that a remediation sets, unless it follows from `vars` or `schema`. */
      value?:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
    };
    CreateAudit: {
      /** @description Unique in the project. */
      name: string;
      /** @description The purpose of the audit. */
      description?: string | null;
      /**
       * @description The kind of device that the audit targets; `null` for all kinds.
       * @enum {string|null}
       */
      kind?: 'host' | 'network-device' | null;
      /** @description The devices that the audit targets, as filters on resolved variables; `null` for all. */
      vars?: string | null;
      /** @description The condition that every targeted device must meet: `vars`, or `key` and `schema`. */
      expectation: components['schemas']['ExpectationView'];
    };
    AuditView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      description: string | null;
      /**
       * @description The kind of device that the audit targets; `null` for all kinds.
       * @enum {string|null}
       */
      kind: 'host' | 'network-device' | null;
      /** @description The devices that the audit targets, as filters on resolved variables; `null` for all. */
      vars: string | null;
      /** @description The condition that every targeted device must meet. */
      expectation: components['schemas']['ExpectationView'];
      /** @description The variables that the audit refers to. */
      keys: string[];
    };
    UpdateAudit: {
      /** @description Unique in the project. */
      name?: string;
      /** @description The purpose of the audit. */
      description?: string | null;
      /**
       * @description The kind of device that the audit targets; `null` for all kinds.
       * @enum {string|null}
       */
      kind?: 'host' | 'network-device' | null;
      /** @description The devices that the audit targets, as filters on resolved variables; `null` for all. */
      vars?: string | null;
      /** @description The condition that every targeted device must meet: `vars`, or `key` and `schema`. */
      expectation?: components['schemas']['ExpectationView'];
    };
    RunAuditView: {
      /** Format: int64 */
      id: number;
      name: string;
    };
    FailureView: {
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      /** @description The variable that does not meet the expectation. */
      key: string;
      /** @description The resolved value of the variable; absent if the variable is not set. */
      value?:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
      /** @description The location of the violation in the value, as a JSON pointer; only for an expectation with a schema. */
      path?: string;
      message: string;
    };
    AuditResultView: {
      audit: components['schemas']['RunAuditView'];
      /** @description The number of devices that the audit targets. */
      devices: number;
      passed: number;
      failed: number;
      /** @description A page of the failing devices, ordered by id. It has fewer items if values are long. */
      items: components['schemas']['FailureView'][];
      /** @description `self`, and `next` if there are more items. Send a POST request to follow them. */
      links: components['schemas']['LinkView'][];
    };
    LevelReference: {
      /** @enum {string} */
      kind: 'region' | 'cell' | 'label' | 'host' | 'network-device';
      /** Format: int64 */
      id: number;
    };
    Remediation: {
      /** @description The resource on which the value is set. */
      level: components['schemas']['LevelReference'];
      /** @description The value to set. Defaults to the value that the audit expects. */
      value?:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
    };
    CloudLine: {
      /** @description Unique in the project. */
      name?: string;
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @enum {string} */
      kind: 'cloud';
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
    };
    LabelLine: {
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      label?: string;
      /** @enum {string} */
      kind: 'label';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
    };
    RegionLine: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description Unique in the project. */
      name?: string;
      /** @enum {string} */
      kind: 'region';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
      /** @description The name of the cloud of the region. */
      cloud?: string | null;
    };
    CellLine: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description Unique in the region. */
      name?: string;
      /** @enum {string} */
      kind: 'cell';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
      /** @description The name of the cell's region. */
      region?: string;
    };
    HostLine: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      active?: boolean;
      /** @description Unique among the devices of the project. */
      name?: string;
      ip_address?: string;
      device_type?: string;
      /** @enum {string} */
      kind: 'host';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
      /** @description The name of the device's region. */
      region?: string;
      /** @description The name of the device's cell. The cell belongs to the region of the device. */
      cell?: string | null;
      /** @description The name of the parent device. Unique in the project. */
      parent?: string | null;
    };
    NetworkDeviceLine: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: string | string[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: {
        [key: string]: unknown;
      };
      active?: boolean;
      /** @description Unique among the devices of the project. */
      name?: string;
      ip_address?: string;
      device_type?: string;
      /** @description The model. */
      model_name?: string | null;
      /** @description The version of the operating system. */
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: (unknown[] | Record<string, never> | string | number | boolean) | null;
      /** @enum {string} */
      kind: 'network-device';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
      /** @description The name of the device's region. */
      region?: string;
      /** @description The name of the device's cell. The cell belongs to the region of the device. */
      cell?: string | null;
      /** @description The name of the parent device. Unique in the project. */
      parent?: string | null;
    };
    TargetView: {
      /** @description One address for each port. */
      targets: string[];
      labels: {
        [key: string]: string;
      };
    };
    ClassifiedNodeView: {
      /** @description The value of the variable `puppet_classes`: an array of class names, or an object that maps class names to parameters. */
      classes:
        | string[]
        | {
            [key: string]: Record<string, never> | null;
          };
      /** @description All other variables, except `trusted`, `facts` and `server_facts`, which Puppet reserves. */
      parameters: {
        [key: string]: unknown;
      };
      /** @description The value of the variable `puppet_environment`; absent if the variable is not set. */
      environment?: string;
    };
    HostListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique among the devices of the project. */
      name?: string;
      /** Format: int64 */
      region_id?: number;
      /** Format: int64 */
      cell_id?: number | null;
      /** Format: int64 */
      parent_id?: number | null;
      /** @description The IP address on the control plane. */
      ip_address?: string;
      device_type?: string;
      active?: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels?: string;
      note?: string | null;
      /** Format: int64 */
      access_secret_id?: number | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description The link `up` leads to the parent device; without a parent to the cell, and without a cell to the region. */
      links?: components['schemas']['LinkView'][];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['ExplanationView'];
      };
    };
    NetworkDeviceListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique among the devices of the project. */
      name?: string;
      /** Format: int64 */
      region_id?: number;
      /** Format: int64 */
      cell_id?: number | null;
      /** Format: int64 */
      parent_id?: number | null;
      /** @description The IP address on the control plane. */
      ip_address?: string;
      device_type?: string;
      active?: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels?: string;
      note?: string | null;
      /** Format: int64 */
      access_secret_id?: number | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description The link `up` leads to the parent device; without a parent to the cell, and without a cell to the region. */
      links?: components['schemas']['LinkView'][];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['ExplanationView'];
      };
      model_name?: string | null;
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: (unknown[] | Record<string, never> | string | number | boolean) | null;
    };
    ProjectListItem: {
      /** Format: uuid */
      id?: string;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description Unique in the deployment. */
      name?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      version?: number;
    };
    UserListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the project. */
      username?: string;
      is_admin?: boolean;
      is_root?: boolean;
      roles?: string[];
    };
    ApiKeyListItem: {
      /**
       * Format: int64
       * @description The position in the list, for `marker`.
       */
      id?: number;
      /** @description The part of the key between the underscores. */
      key_id?: string;
      /** @enum {string} */
      state?: 'in use' | 'expired' | 'revoked';
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description When the key expires; `null`: never. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      expires_at?: string | null;
      /** @description When the key was revoked; `null` if it was not. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      revoked_at?: string | null;
    };
    CloudListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the project. */
      name?: string;
      note?: string | null;
    };
    RegionListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the project. */
      name?: string;
      /** Format: int64 */
      cloud_id?: number | null;
      /** @description A summary of the region's cells, sorted by name. */
      cells?: components['schemas']['RegionCellView'][];
      /** @description Names joined by `,`, sorted by code point. */
      labels?: string;
      note?: string | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: {
        [key: string]: unknown;
      };
    };
    CellListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the region. */
      name?: string;
      /** Format: int64 */
      region_id?: number;
      /** @description Names joined by `,`, sorted by code point. */
      labels?: string;
      note?: string | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['ExplanationView'];
      };
    };
    LabelListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description The name. `key:value` is a convention, not a rule. */
      label?: string;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: {
        [key: string]: unknown;
      };
    };
    AccessSecretListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
    };
    ChangeRecordListItem: {
      /** Format: uuid */
      project_id?: string;
      actor?: components['schemas']['ActorView'];
      request_id?: string;
      reason?: string | null;
      /** @description `null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private. */
      impact?: components['schemas']['ImpactCountView'] | null;
      /**
       * Format: int64
       * @description How many resources it touched that the caller may see.
       */
      objects_total?: number;
      /** @description In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them. */
      objects?: components['schemas']['ChangedObjectView'][];
      /** Format: int64 */
      id?: number;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
    };
    VariablePlaceListItem: {
      /** @description The username at the time of the change. `null`, as `reason` and `change_id`, for callers who cannot read change records. */
      set_by?: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      set_at?: string;
      reason?: string | null;
      /**
       * Format: int64
       * @description The id of the change that set it.
       */
      change_id?: number | null;
      key?: string;
      /** @description `region`, `cell`, `label`, or the kind of the device. */
      kind?: string;
      /** Format: int64 */
      id?: number;
      name?: string;
      /** Format: uuid */
      project_id?: string;
      value?:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
          )
        | null;
      /** @description `owner` is the resource that the variable is set on. */
      links?: components['schemas']['LinkView'][];
    };
    VariableKeyListItem: {
      key?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description How many devices resolve the key to a value, own or inherited. */
      resolved_by?: number;
      /** @description How many regions set it. */
      regions?: number;
      /** @description How many cells set it. */
      cells?: number;
      /** @description How many labels set it. */
      labels?: number;
      /** @description How many hosts set it. */
      hosts?: number;
      /** @description How many network-devices set it. */
      'network-devices'?: number;
    };
    VariableDefinitionListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description A variable key, or a key prefix followed by `*`. Unique in the project. */
      key?: string;
      description?: string | null;
      /** @description The JSON Schema for every value of these keys. */
      schema?:
        | {
            [key: string]: unknown;
          }
        | boolean;
    };
    AuditListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the project. */
      name?: string;
      description?: string | null;
      /**
       * @description The kind of device that the audit targets; `null` for all kinds.
       * @enum {string|null}
       */
      kind?: 'host' | 'network-device' | null;
      /** @description The devices that the audit targets, as filters on resolved variables; `null` for all. */
      vars?: string | null;
      /** @description The condition that every targeted device must meet. */
      expectation?: components['schemas']['ExpectationView'];
      /** @description The variables that the audit refers to. */
      keys?: string[];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  AllDevices_list: {
    parameters: {
      query?: {
        /** @description The device with this id. */
        id?: number;
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Whether to include the descendants of the matching devices. */
        descendants?: boolean;
        /** @description The maximum number of devices. */
        limit?: number;
        /** @description Where the page begins: after the device with this id; `last` for the last page. */
        marker?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of devices, grouped by kind and ordered by id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            devices: {
              hosts: components['schemas']['HostView'][];
              'network-devices': components['schemas']['NetworkDeviceView'][];
            };
            links: components['schemas']['LinkView'][];
          };
        };
      };
    };
  };
  ManyHostsVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. */
        device_type?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'] | components['schemas']['TriedSetView'];
        };
      };
    };
  };
  Hosts_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'region_id'
          | 'cell_id'
          | 'parent_id'
          | 'ip_address'
          | 'device_type'
          | 'active'
          | 'labels'
          | 'note'
          | 'access_secret_id'
          | 'created_at'
          | 'updated_at'
          | 'version'
          | 'variables'
          | 'links'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'region_id'
          | 'cell_id'
          | 'parent_id'
          | 'ip_address'
          | 'device_type'
          | 'active'
          | 'note'
          | 'access_secret_id'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Keys, joined by `,`. The member `explain` of each item contains the origin of their values. */
        explain?: string[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. */
        device_type?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostListItem'][];
        };
      };
    };
  };
  Hosts_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateHost'] | components['schemas']['CreateHost'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostView'] | components['schemas']['HostView'][];
        };
      };
    };
  };
  Hosts_show: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostView'];
        };
      };
    };
  };
  Hosts_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateHost'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Hosts_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  HostLabels_get: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The names of the labels, sorted by code point. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelSet'];
        };
      };
    };
  };
  HostLabels_add: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LabelSet'];
      };
    };
    responses: {
      /** @description The names of the labels, sorted by code point. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelSet'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  HostLabels_remove: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LabelSet'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The labels were removed, or were not assigned. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  HostVariables_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: never;
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  HostVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  HostVariables_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json':
          | {
              [key: string]: unknown;
            }
          | string[];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  HostExplanations_explain: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Only this key. Can be repeated, for at most 50 keys. */
        key?: string[];
      };
      header?: never;
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The explained variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplanationsView'];
        };
      };
    };
  };
  HostVariable_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the host. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'];
        };
      };
    };
  };
  HostVariable_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the host. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  HostVariable_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the host. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  ManyNetworkDevicesVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. */
        device_type?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'] | components['schemas']['TriedSetView'];
        };
      };
    };
  };
  NetworkDevices_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'region_id'
          | 'cell_id'
          | 'parent_id'
          | 'ip_address'
          | 'device_type'
          | 'active'
          | 'labels'
          | 'note'
          | 'access_secret_id'
          | 'model_name'
          | 'os_version'
          | 'vlans'
          | 'created_at'
          | 'updated_at'
          | 'version'
          | 'variables'
          | 'links'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'region_id'
          | 'cell_id'
          | 'parent_id'
          | 'ip_address'
          | 'device_type'
          | 'active'
          | 'note'
          | 'access_secret_id'
          | 'model_name'
          | 'os_version'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Keys, joined by `,`. The member `explain` of each item contains the origin of their values. */
        explain?: string[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. */
        device_type?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkDeviceListItem'][];
        };
      };
    };
  };
  NetworkDevices_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json':
          components['schemas']['CreateNetworkDevice'] | components['schemas']['CreateNetworkDevice'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['NetworkDeviceView'] | components['schemas']['NetworkDeviceView'][];
        };
      };
    };
  };
  NetworkDevices_show: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkDeviceView'];
        };
      };
    };
  };
  NetworkDevices_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateNetworkDevice'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['NetworkDeviceView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  NetworkDevices_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  NetworkDeviceLabels_get: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The names of the labels, sorted by code point. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelSet'];
        };
      };
    };
  };
  NetworkDeviceLabels_add: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LabelSet'];
      };
    };
    responses: {
      /** @description The names of the labels, sorted by code point. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelSet'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  NetworkDeviceLabels_remove: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LabelSet'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The labels were removed, or were not assigned. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  NetworkDeviceVariables_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: never;
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  NetworkDeviceVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  NetworkDeviceVariables_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json':
          | {
              [key: string]: unknown;
            }
          | string[];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  NetworkDeviceExplanations_explain: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Only this key. Can be repeated, for at most 50 keys. */
        key?: string[];
      };
      header?: never;
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The explained variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplanationsView'];
        };
      };
    };
  };
  NetworkDeviceVariable_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the network device. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'];
        };
      };
    };
  };
  NetworkDeviceVariable_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the network device. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  NetworkDeviceVariable_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the network device. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  Projects_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: ('id' | 'uuid' | 'project_id' | 'name' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'uuid' | 'project_id' | 'name' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectListItem'][];
        };
      };
    };
  };
  Projects_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateProject'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectView'];
        };
      };
    };
  };
  Projects_show: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectView'];
        };
      };
    };
  };
  Projects_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateProject'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Projects_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  Settings_show: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The settings, or the defaults if none were set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectSettingsView'];
        };
      };
    };
  };
  Settings_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSettings'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['ProjectSettingsView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Users_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'username'
          | 'is_admin'
          | 'is_root'
          | 'roles'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'username'
          | 'is_admin'
          | 'is_root'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose username has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        username?: string;
        /** @description The exact name: the same as `username`. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserListItem'][];
        };
      };
    };
  };
  Users_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateUser'] | components['schemas']['CreateUser'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['UserWithKeyView'] | components['schemas']['UserWithKeyView'][];
        };
      };
    };
  };
  Users_show: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserView'];
        };
      };
    };
  };
  Users_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateUser'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Users_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  ApiKeys_newKey: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NewApiKeyBody'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The user, with the key. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserWithKeyView'];
        };
      };
    };
  };
  UserKeys_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: ('id' | 'key_id' | 'state' | 'created_at' | 'expires_at' | 'revoked_at')[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'key_id' | 'created_at' | 'expires_at' | 'revoked_at')[];
      };
      header?: never;
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyListItem'][];
        };
      };
    };
  };
  UserKeys_add: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NewApiKeyBody'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The user, with the key. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserWithKeyView'];
        };
      };
    };
  };
  UserKeys_end: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the user. */
        id: number;
        /** @description The id of the key: its part between the underscores. */
        key_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Revoked. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  Whoami_show: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The caller. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CallerView'];
        };
      };
    };
  };
  UserVariables_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: never;
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  UserVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  UserVariables_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json':
          | {
              [key: string]: unknown;
            }
          | string[];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  UserVariable_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the user. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'];
        };
      };
    };
  };
  UserVariable_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the user. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  UserVariable_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the user. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  Session_show: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SessionView'];
        };
      };
    };
  };
  Session_enter: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EnterProject'];
      };
    };
    responses: {
      /** @description The session. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SessionView'];
        };
      };
    };
  };
  Session_start: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SessionView'];
        };
      };
    };
  };
  Session_end: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Ended. The user can sign out at the OpenID provider, too. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SignOutView'];
        };
      };
      /** @description Ended. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  SignIn_show: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The methods. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SignInView'];
        };
      };
    };
  };
  SignIn_begin: {
    parameters: {
      query?: {
        /** @description The path of the page that the browser is sent to afterwards. */
        return_to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: never;
  };
  SignIn_complete: {
    parameters: {
      query?: {
        /** @description From the provider, like `state`, `iss` and `error`. */
        code?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: never;
  };
  Clouds_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: ('id' | 'uuid' | 'project_id' | 'name' | 'note' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          'id' | 'uuid' | 'project_id' | 'name' | 'note' | 'created_at' | 'updated_at' | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudListItem'][];
        };
      };
    };
  };
  Clouds_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCloud'] | components['schemas']['CreateCloud'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudView'] | components['schemas']['CloudView'][];
        };
      };
    };
  };
  Clouds_show: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the cloud. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudView'];
        };
      };
    };
  };
  Clouds_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the cloud. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCloud'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Clouds_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the cloud. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  ManyRegionsVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Regions in this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'] | components['schemas']['TriedSetView'];
        };
      };
    };
  };
  Regions_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'cloud_id'
          | 'cells'
          | 'labels'
          | 'note'
          | 'created_at'
          | 'updated_at'
          | 'version'
          | 'variables'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'cloud_id'
          | 'note'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Regions in this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegionListItem'][];
        };
      };
    };
  };
  Regions_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRegion'] | components['schemas']['CreateRegion'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegionView'] | components['schemas']['RegionView'][];
        };
      };
    };
  };
  Regions_show: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegionView'];
        };
      };
    };
  };
  Regions_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateRegion'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegionView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Regions_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  RegionVariables_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: never;
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  RegionVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  RegionVariables_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json':
          | {
              [key: string]: unknown;
            }
          | string[];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  RegionVariable_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the region. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'];
        };
      };
    };
  };
  RegionVariable_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the region. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  RegionVariable_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the region. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  ManyCellsVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Cells in this region. */
        region_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'] | components['schemas']['TriedSetView'];
        };
      };
    };
  };
  Cells_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'region_id'
          | 'labels'
          | 'note'
          | 'created_at'
          | 'updated_at'
          | 'version'
          | 'variables'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'region_id'
          | 'note'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Keys, joined by `,`. The member `explain` of each item contains the origin of their values. */
        explain?: string[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Cells in this region. */
        region_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CellListItem'][];
        };
      };
    };
  };
  Cells_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCell'] | components['schemas']['CreateCell'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CellView'] | components['schemas']['CellView'][];
        };
      };
    };
  };
  Cells_show: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CellView'];
        };
      };
    };
  };
  Cells_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCell'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CellView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Cells_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  CellVariables_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: never;
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  CellVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  CellVariables_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json':
          | {
              [key: string]: unknown;
            }
          | string[];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  CellExplanations_explain: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Only this key. Can be repeated, for at most 50 keys. */
        key?: string[];
      };
      header?: never;
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The explained variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplanationsView'];
        };
      };
    };
  };
  CellVariable_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the cell. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'];
        };
      };
    };
  };
  CellVariable_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the cell. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  CellVariable_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the cell. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  ManyLabelsVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose label has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        label?: string;
        /** @description The exact name. An alias of `label`. */
        name?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'] | components['schemas']['TriedSetView'];
        };
      };
    };
  };
  Labels_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          'id' | 'uuid' | 'project_id' | 'label' | 'created_at' | 'updated_at' | 'version' | 'variables'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'uuid' | 'project_id' | 'label' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose label has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        label?: string;
        /** @description The exact name. An alias of `label`. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelListItem'][];
        };
      };
    };
  };
  Labels_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateLabel'] | components['schemas']['CreateLabel'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelView'] | components['schemas']['LabelView'][];
        };
      };
    };
  };
  Labels_show: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelView'];
        };
      };
    };
  };
  Labels_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateLabel'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Labels_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  LabelVariables_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: never;
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  LabelVariables_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  LabelVariables_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json':
          | {
              [key: string]: unknown;
            }
          | string[];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  LabelVariable_get: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the label. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'];
        };
      };
    };
  };
  LabelVariable_put: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the label. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  LabelVariable_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
      };
      path: {
        /** @description The id of the label. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  AccessSecrets_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: ('id' | 'uuid' | 'project_id' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'uuid' | 'project_id' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessSecretListItem'][];
        };
      };
    };
  };
  AccessSecrets_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json':
          components['schemas']['CreateAccessSecret'] | components['schemas']['CreateAccessSecret'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['AccessSecretView'] | components['schemas']['AccessSecretView'][];
        };
      };
    };
  };
  AccessSecrets_show: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the access secret. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAccessSecretView'];
        };
      };
    };
  };
  AccessSecrets_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the access secret. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAccessSecret'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['AccessSecretView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  AccessSecrets_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the access secret. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  Feed_read: {
    parameters: {
      query?: {
        /** @description The cursor of the previous response, or `latest` for new changes only. Defaults to the beginning. */
        after?: string;
        /** @description The maximum time to wait for changes, in seconds. */
        wait?: number;
        /** @description The maximum number of changes. */
        limit?: number;
        /** @description Whether to include the devices whose resolved variables each change altered. */
        resolved?: boolean;
        /** @description Only changes of this project. Without it, a root user sees all projects. */
        project_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The next changes; empty if there are none yet. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedView'];
        };
      };
    };
  };
  Changes_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  Changes_count: {
    parameters: {
      query?: {
        /** @description The project whose changes are counted. The default is the project of the request, also for a root user. */
        project_id?: string;
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
        /** @description The number of intervals. They reach from `since` to `until`; without these filters, from the oldest to the newest matching change. */
        intervals?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The numbers of changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeCountsView'];
        };
      };
    };
  };
  Changes_show: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the change. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'];
        };
      };
    };
  };
  ChangeObjects_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The marker from a link of this list. */
        marker?: string;
        /** @description Objects of this kind. */
        kind?: string;
        /** @description Objects with this action: `create`, `update` or `delete`. */
        action?: string;
      };
      header?: never;
      path: {
        /** @description The id of the change. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedObjectView'][];
        };
      };
    };
  };
  Revert_revert: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the change. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RevertChange'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description The record of the new change. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'];
        };
      };
    };
  };
  PastImpact_show: {
    parameters: {
      query?: {
        /** @description The id of the last device seen. */
        marker?: number;
        /** @description The maximum number of devices. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description The id of the change. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the devices. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PastImpactView'];
        };
      };
    };
  };
  ProjectChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  AccessSecretChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the access secret. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  CloudChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the cloud. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  RegionChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  CellChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  LabelChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  UserChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  HostChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  NetworkDeviceChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  VariableDefinitionChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the variable definition. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  AuditChanges_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the audit. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  VariablePlaces_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'key'
          | 'kind'
          | 'id'
          | 'name'
          | 'project_id'
          | 'value'
          | 'set_by'
          | 'set_at'
          | 'reason'
          | 'change_id'
          | 'links'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description The key, the kind and the id of the last item seen, separated by `/`. */
        marker?: string;
        /** @description Only this key. With `*` at the end: all keys with this prefix. */
        key?: string;
        /** @description Only variables that are set on resources of this kind. */
        kind?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablePlaceListItem'][];
        };
      };
    };
  };
  VariableKeys_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          'key' | 'project_id' | 'regions' | 'cells' | 'labels' | 'hosts' | 'network-devices' | 'resolved_by'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description The key and the project_id of the last item seen, separated by `/`. */
        marker?: string;
        /** @description Only this key. With `*` at the end: all keys with this prefix. */
        key?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableKeyListItem'][];
        };
      };
    };
  };
  Statistics_countDevices: {
    parameters: {
      query?: {
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices of this kind. */
        kind?: 'host' | 'network-device';
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. */
        device_type?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description The project whose devices are counted. The default is the project of the request, also for a root user. */
        project_id?: string;
        /** @description The maximum number of groups. */
        limit?: number;
        /** @description What to group the devices by, joined by `,`. There is a group for each combination. */
        group_by?: ('region' | 'cell' | 'label' | 'kind' | 'active' | 'device_type')[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The numbers of devices. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeviceCountsView'];
        };
      };
    };
  };
  Statistics_countValues: {
    parameters: {
      query?: {
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices of this kind. */
        kind?: 'host' | 'network-device';
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. */
        device_type?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description The project whose devices are counted. The default is the project of the request, also for a root user. */
        project_id?: string;
        /** @description The maximum number of values, and of groups. */
        limit?: number;
        /** @description Counts the devices of each group separately, too. */
        group_by?: 'region' | 'cell' | 'label' | 'kind';
        /** @description Counts a part of the value: a path inside it, in the syntax of `vars` without wildcards. Of several matches, the first one counts. */
        path?: string;
      };
      header?: never;
      path: {
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The distribution of the values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableValuesView'];
        };
      };
    };
  };
  Search_search: {
    parameters: {
      query: {
        /** @description The project to search. The default is the project of the request, also for a root user, who finds projects by name in any case. */
        project_id?: string;
        /** @description The maximum number of hits. */
        limit?: number;
        /** @description The text: a name, a label, an id, a UUID, an IP address, a network in CIDR notation, the first octets or groups of an address (`10.64.`, `2001:db8:`), the key of a variable, or the value of one. */
        q: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The hits. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SearchResultView'];
        };
      };
    };
  };
  VariableDefinitions_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'key'
          | 'description'
          | 'schema'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          'id' | 'uuid' | 'project_id' | 'key' | 'description' | 'created_at' | 'updated_at' | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose key has this prefix. */
        name_prefix?: string;
        /** @description The exact key, or the exact prefix with its `*`. */
        key?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableDefinitionListItem'][];
        };
      };
    };
  };
  VariableDefinitions_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json':
          | components['schemas']['CreateVariableDefinition']
          | components['schemas']['CreateVariableDefinition'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['VariableDefinitionView']
            | components['schemas']['VariableDefinitionView'][];
        };
      };
    };
  };
  VariableDefinitions_show: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the variable definition. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableDefinitionView'];
        };
      };
    };
  };
  VariableDefinitions_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the variable definition. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateVariableDefinition'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['VariableDefinitionView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  VariableDefinitions_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the variable definition. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  Violations_list: {
    parameters: {
      query?: {
        /** @description The start of the page, from the `next` link of the previous page. */
        marker?: string;
        /** @description The maximum number of items. 1–10000 for an array (default 1000), 10–100 for a page object (default 30). */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description The id of the variable definition. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. Ordered by key, kind and id. A page can have fewer items than its limit, or none, and still have a `next` link. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ViolationView'][];
        };
      };
    };
  };
  Audits_list: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'description'
          | 'kind'
          | 'vars'
          | 'expectation'
          | 'keys'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'description'
          | 'kind'
          | 'vars'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
        /** @description Audits that target exactly this kind of device. */
        kind?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditListItem'][];
        };
      };
    };
  };
  Audits_create: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAudit'] | components['schemas']['CreateAudit'][];
      };
    };
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditView'] | components['schemas']['AuditView'][];
        };
      };
    };
  };
  Audits_show: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: never;
      path: {
        /** @description The id of the audit. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditView'];
        };
      };
    };
  };
  Audits_update: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the audit. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAudit'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Audits_delete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path: {
        /** @description The id of the audit. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewView'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  AuditActions_run: {
    parameters: {
      query?: {
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description The maximum number of failing devices to return. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description The id of the audit. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Empty, or `{}`. */
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description The result of the run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditResultView'];
        };
      };
    };
  };
  AuditActions_remediate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the audit. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Remediation'];
      };
    };
    responses: {
      /** @description The level's own variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesView'] | components['schemas']['PreviewView'];
        };
      };
    };
  };
  Export_export: {
    parameters: {
      query?: {
        /** @description Exports only resources of this kind. Repeat the parameter for several kinds. */
        kind?: ('cloud' | 'label' | 'region' | 'cell' | 'host' | 'network-device')[];
        /** @description The format: `ndjson` is one JSON object per line, as `POST /v1/import` accepts it; `csv` is a table of hosts. Without this parameter, `Accept: text/csv` selects `csv`. */
        format?: 'ndjson' | 'csv';
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. */
        device_type?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One line per resource. A resource follows those that it references. If the export fails, the connection is closed without the final chunk of the body. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
          'text/csv': string;
        };
      };
    };
  };
  Import_import: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description For a dry run: the maximum number of affected devices in the response. */
        limit?: number;
        /** @description For a dry run: the id of the last affected device seen. */
        marker?: number;
        /** @description `all`: if one line cannot be imported, nothing is imported; the import stops at 1000 faulty lines. `partial`: the valid lines are imported, and the response lists the failed ones; more than 100,000 invalid lines are an error. */
        mode?: 'all' | 'partial';
        /** @description The maximum number of devices whose resolved values may change, considering the variables that the caller may see. If there are more, nothing is imported: `409`. */
        max_affected_devices?: number;
        /** @description Whether the lines of the response have `before` and `after`. Requires `Accept: application/x-ndjson`. */
        changes?: boolean;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    /** @description One JSON object per line, in any order, or a CSV table of devices. Members that a line does not contain stay unchanged. `Content-Encoding` can be `gzip`, `deflate` or `br`. */
    requestBody: {
      content: {
        'application/x-ndjson': string;
        'text/csv': string;
      };
    };
    responses: {
      /** @description The results of the lines. With `Accept: application/x-ndjson`, one line for each line of the body, in its order, followed by this summary. With `changes=true`, created and updated lines have `after`, the resource as in an export, and updated lines `before`, too. A dry run also has `dry_run`, `existing_devices` and `impact`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                /** @description The number of lines that created a resource. */
                created: number;
                /** @description The number of lines that updated a resource. */
                updated: number;
                /** @description The number of lines that changed nothing. */
                unchanged: number;
                /** @description The number of lines that were not imported. */
                failed: number;
                /** @description The first 1000 errors, sorted by line. */
                errors: {
                  /** @description The line number in the body. The first line is 1. */
                  line: number;
                  /** @enum {string} */
                  code:
                    | 'invalid_request'
                    | 'unauthenticated'
                    | 'forbidden'
                    | 'not_found'
                    | 'validation_exception'
                    | 'method_not_allowed'
                    | 'conflict'
                    | 'version_mismatch'
                    | 'payload_too_large'
                    | 'unsupported_media_type'
                    | 'too_many_requests'
                    | 'internal_error'
                    | 'unavailable';
                  message: string;
                }[];
                /** @description For tables: the number of empty cells in columns of members and variables that existing devices have. They change nothing. */
                ignored_empty_cells?: number;
                /** @description For tables: how many variables change from a text to a number or boolean, or the other way round, or are numbers that lose digits. */
                type_changes_total?: number;
                /** @description For tables: the first 100 of these variables, sorted by line. */
                type_changes?: {
                  /** @description The line of the table in which the record starts. The first line is 1. */
                  line: number;
                  /** @description The name of the device. */
                  name: string;
                  /** @description The key of the variable. */
                  key: string;
                  /**
                   * @description A JSON type.
                   * @enum {string}
                   */
                  before: 'string' | 'number' | 'boolean';
                  /**
                   * @description `number` for a number that loses digits, too.
                   * @enum {string}
                   */
                  after: 'string' | 'number' | 'boolean';
                }[];
              }
            | {
                dry_run: boolean;
                /** @description The number of lines that created a resource. */
                created: number;
                /** @description The number of lines that updated a resource. */
                updated: number;
                /** @description The number of lines that changed nothing. */
                unchanged: number;
                /** @description The number of lines that were not imported. */
                failed: number;
                /** @description The first 1000 errors, sorted by line. */
                errors: {
                  /** @description The line number in the body. The first line is 1. */
                  line: number;
                  /** @enum {string} */
                  code:
                    | 'invalid_request'
                    | 'unauthenticated'
                    | 'forbidden'
                    | 'not_found'
                    | 'validation_exception'
                    | 'method_not_allowed'
                    | 'conflict'
                    | 'version_mismatch'
                    | 'payload_too_large'
                    | 'unsupported_media_type'
                    | 'too_many_requests'
                    | 'internal_error'
                    | 'unavailable';
                  message: string;
                }[];
                /** @description For tables: the number of empty cells in columns of members and variables that existing devices have. They change nothing. */
                ignored_empty_cells?: number;
                /** @description For tables: how many variables change from a text to a number or boolean, or the other way round, or are numbers that lose digits. */
                type_changes_total?: number;
                /** @description For tables: the first 100 of these variables, sorted by line. */
                type_changes?: {
                  /** @description The line of the table in which the record starts. The first line is 1. */
                  line: number;
                  /** @description The name of the device. */
                  name: string;
                  /** @description The key of the variable. */
                  key: string;
                  /**
                   * @description A JSON type.
                   * @enum {string}
                   */
                  before: 'string' | 'number' | 'boolean';
                  /**
                   * @description `number` for a number that loses digits, too.
                   * @enum {string}
                   */
                  after: 'string' | 'number' | 'boolean';
                }[];
                /** @description How many of the devices of `impact` exist already. The import creates the others. */
                existing_devices: number;
                impact: components['schemas']['PreviewedImpactView'];
              };
          'application/x-ndjson': string;
        };
      };
    };
  };
  AnsibleInventory_inventory: {
    parameters: {
      query?: {
        /** @description Returns only the variables of the host with this name, as `--host` prints them; an empty object if the host is not in the inventory. */
        host?: string;
        /** @description Whether the inventory includes inactive hosts. */
        inactive?: boolean;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. */
        device_type?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The output of an inventory script for `--list`: each host with its resolved variables and `ansible_host`, and a group for each region, cell and label. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  PrometheusSd_discover: {
    parameters: {
      query?: {
        /** @description The port of hosts whose variables do not set one. Without this parameter, such hosts are skipped. */
        port?: number;
        /** @description The key of the variable that contains the port, or an array of ports. */
        port_variable?: string;
        /** @description The key of the variable that contains the scheme: `http` or `https`. */
        scheme_variable?: string;
        /** @description The key of the variable that contains the path of the metrics. */
        path_variable?: string;
        /** @description The key of the variable that contains whether the host is scraped: `false` excludes it. */
        scrape_variable?: string;
        /** @description The key of a variable that becomes the label `__meta_muster_variable_<key>`. Repeat the parameter for several variables. */
        variable?: string[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. */
        device_type?: string;
        /** @description The name of a label of the resource. Can be repeated; the resource must have all of the labels. */
        label?: string[];
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The targets, in the format of the HTTP service discovery of Prometheus. Inactive hosts are excluded, unless `active` selects them. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TargetView'][];
        };
      };
    };
  };
  SaltPillar_pillar: {
    parameters: {
      query: {
        /** @description The name of the host. It equals the id of the minion. */
        host: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. The response for an unknown host is an empty object, because Salt treats an error in the same way. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  PuppetEnc_classify: {
    parameters: {
      query: {
        /** @description The key of the variable that contains the environment. */
        environment_variable?: string;
        /** @description The key of the variable that contains the classes. */
        classes_variable?: string;
        /** @description The name of the host. It equals the name of the node. */
        host: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The node. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ClassifiedNodeView'];
        };
      };
    };
  };
}
