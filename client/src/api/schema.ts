// Written by `npm run generate` from the description of the API. Not to be edited.

export interface paths {
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
    /** Change members of a project; the others stay */
    put: operations['Projects_update'];
    post?: never;
    /** Delete a project that nothing uses */
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
    /** Show what a project demands of its changes, and what it hides */
    get: operations['Settings_show'];
    /** Change what a project demands of its changes, and what it hides */
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
    /** Create a user, or all of several in one change */
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
    /** Change members of a user; the others stay */
    put: operations['Users_update'];
    post?: never;
    /** Delete a user that nothing uses */
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
    /** Give a user a new API key; the user's other keys end */
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
    /** Give a user a further API key; the user's other keys live on */
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
    /** End one of a user's API keys */
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
    /** Variables of a user: its own, or resolved */
    get: operations['UserVariables_get'];
    /** Set variables of a user, laid over those that it has */
    put: operations['UserVariables_put'];
    post?: never;
    /** Take variables from a user */
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
    /** One of the own variables of a user */
    get: operations['UserVariable_get'];
    /** Set one variable of a user */
    put: operations['UserVariable_put'];
    post?: never;
    /** Take one variable from a user */
    delete: operations['UserVariable_delete'];
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
    /** Create a cloud, or all of several in one change */
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
    /** Change members of a cloud; the others stay */
    put: operations['Clouds_update'];
    post?: never;
    /** Delete a cloud that nothing uses */
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
    /** Set variables on many regions, laid over those that each has */
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
    /** Create a region, or all of several in one change */
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
    /** Change members of a region; the others stay */
    put: operations['Regions_update'];
    post?: never;
    /** Delete a region that nothing uses */
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
    /** Variables of a region: its own, or resolved */
    get: operations['RegionVariables_get'];
    /** Set variables of a region, laid over those that it has */
    put: operations['RegionVariables_put'];
    post?: never;
    /** Take variables from a region */
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
    /** One of the own variables of a region */
    get: operations['RegionVariable_get'];
    /** Set one variable of a region */
    put: operations['RegionVariable_put'];
    post?: never;
    /** Take one variable from a region */
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
    /** Set variables on many cells, laid over those that each has */
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
    /** Create a cell, or all of several in one change */
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
    /** Change members of a cell; the others stay */
    put: operations['Cells_update'];
    post?: never;
    /** Delete a cell that nothing uses */
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
    /** Variables of a cell: its own, or resolved */
    get: operations['CellVariables_get'];
    /** Set variables of a cell, laid over those that it has */
    put: operations['CellVariables_put'];
    post?: never;
    /** Take variables from a cell */
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
    /** Where the variables of a cell come from, level by level */
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
    /** One of the own variables of a cell */
    get: operations['CellVariable_get'];
    /** Set one variable of a cell */
    put: operations['CellVariable_put'];
    post?: never;
    /** Take one variable from a cell */
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
    /** Set variables on many labels, laid over those that each has */
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
    /** Create a label, or all of several in one change */
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
    /** Change members of a label; the others stay */
    put: operations['Labels_update'];
    post?: never;
    /** Delete a label that nothing uses */
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
    /** Variables of a label: its own, or resolved */
    get: operations['LabelVariables_get'];
    /** Set variables of a label, laid over those that it has */
    put: operations['LabelVariables_put'];
    post?: never;
    /** Take variables from a label */
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
    /** One of the own variables of a label */
    get: operations['LabelVariable_get'];
    /** Set one variable of a label */
    put: operations['LabelVariable_put'];
    post?: never;
    /** Take one variable from a label */
    delete: operations['LabelVariable_delete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/devices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List devices across kinds */
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
    /** Set variables on many hosts, laid over those that each has */
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
    /** Create a host, or all of several in one change */
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
    /** Change members of a host; the others stay */
    put: operations['Hosts_update'];
    post?: never;
    /** Delete a host that nothing uses */
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
    /** Labels of a host */
    get: operations['HostLabels_get'];
    /** Give a host labels, in addition to those that it has */
    put: operations['HostLabels_add'];
    post?: never;
    /** Take labels from a host */
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
    /** Variables of a host: its own, or resolved */
    get: operations['HostVariables_get'];
    /** Set variables of a host, laid over those that it has */
    put: operations['HostVariables_put'];
    post?: never;
    /** Take variables from a host */
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
    /** Where the variables of a host come from, level by level */
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
    /** One of the own variables of a host */
    get: operations['HostVariable_get'];
    /** Set one variable of a host */
    put: operations['HostVariable_put'];
    post?: never;
    /** Take one variable from a host */
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
    /** Set variables on many network-devices, laid over those that each has */
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
    /** Create a network device, or all of several in one change */
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
    /** Change members of a network device; the others stay */
    put: operations['NetworkDevices_update'];
    post?: never;
    /** Delete a network device that nothing uses */
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
    /** Labels of a network-device */
    get: operations['NetworkDeviceLabels_get'];
    /** Give a network-device labels, in addition to those that it has */
    put: operations['NetworkDeviceLabels_add'];
    post?: never;
    /** Take labels from a network-device */
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
    /** Variables of a network-device: its own, or resolved */
    get: operations['NetworkDeviceVariables_get'];
    /** Set variables of a network-device, laid over those that it has */
    put: operations['NetworkDeviceVariables_put'];
    post?: never;
    /** Take variables from a network-device */
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
    /** Where the variables of a network-device come from, level by level */
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
    /** One of the own variables of a network-device */
    get: operations['NetworkDeviceVariable_get'];
    /** Set one variable of a network-device */
    put: operations['NetworkDeviceVariable_put'];
    post?: never;
    /** Take one variable from a network-device */
    delete: operations['NetworkDeviceVariable_delete'];
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
    /** Create an access secret, or all of several in one change */
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
    /** Change members of an access secret; the others stay */
    put: operations['AccessSecrets_update'];
    post?: never;
    /** Delete an access secret that nothing uses */
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
    /** Follow the changes: each once, from where a reader was */
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
    /** List everything that a change touched, in the order in which it did */
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
    /** Undo a change by a new one */
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
    /** List every place where variables are set, by key, kind and id */
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
    /** List the keys of variables, with how often they are set and resolved */
    get: operations['VariableKeys_list'];
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
    /** Create a variable definition, or all of several in one change */
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
    /** Change members of a variable definition; the others stay */
    put: operations['VariableDefinitions_update'];
    post?: never;
    /** Delete a variable definition that nothing uses */
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
    /** List values that break a variable definition: they were there before it */
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
    /** Create an audit, or all of several in one change */
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
    /** Change members of an audit; the others stay */
    put: operations['Audits_update'];
    post?: never;
    /** Delete an audit that nothing uses */
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
    /** Run an audit: how many devices pass, which fail, and what they have instead */
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
    /** Set what an audit expects at a level; with `dry_run` propose it */
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
    /** Export the inventory of the project: one state of it, streamed */
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
    /** Import an inventory: create and update what lines tell of, by their names, in one change */
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
    /** The hosts of the project as an inventory of Ansible: one state of it, streamed */
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
    /** Hosts of the project as targets of Prometheus: one state of it, streamed */
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
    /** The resolved variables of a host as a pillar of Salt */
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
    /** The resolved variables of a host, as Puppet reads them from a node classifier */
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
    StatusView: {
      status: string;
    };
    ErrorDetailView: {
      /** @description The member, parameter or header that is at fault. */
      field: string;
      message: string;
    };
    ErrorView: {
      /**
       * @description A fixed word to branch on.
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
      /** @description The log knows the request by it. */
      request_id: string;
    };
    ActorView: {
      /**
       * Format: int64
       * @description `null`: a command.
       */
      id: number | null;
      /** @description The name as it was. */
      username: string;
    };
    ImpactCountView: {
      /**
       * Format: int64
       * @description How many devices got another resolved value by it.
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
      /** @description `null` in records from before it was counted; and for those who do not see everything, from before something became private. */
      impact: components['schemas']['ImpactCountView'] | null;
      /**
       * Format: int64
       * @description How many resources it touched, of those that the caller may see.
       */
      objects_total: number;
      /** @description In the order in which they were touched: the first 1,000 of a record by itself, the first 100 in lists and in the feed. All are at `/v1/changes/{id}/objects`. */
      objects: components['schemas']['ChangedObjectView'][];
      /** Format: int64 */
      id: number | null;
      created_at: string | null;
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
    LinkView: {
      /** Format: uri */
      href: string;
      rel: string;
    };
    PreviewedImpactView: {
      /**
       * Format: int64
       * @description How many devices get another resolved value of some variable; exact.
       */
      devices: number;
      /** @description Of which variables, in order. */
      keys: string[];
      /** @description A page of the devices, by id. */
      items: components['schemas']['AffectedDeviceView'][];
      /** @description `self`, and as far as there are any, `first` and `next`. */
      links: components['schemas']['LinkView'][];
    };
    PreviewView: {
      dry_run: boolean;
      /** @description The record that the change would leave. */
      change: components['schemas']['TriedChangeView'];
      impact: components['schemas']['PreviewedImpactView'];
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
      created_at: string;
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
      /** @description A regular expression (RE2) that a reason has to match somewhere; `null`: any reason will do. */
      pattern: string | null;
    };
    ProjectSettingsView: {
      /** Format: uuid */
      project_id: string;
      /** @description `null`: nothing is demanded. */
      change_reason: components['schemas']['ChangeReasonView'] | null;
      /** @description The keys that are hidden from everybody without a role for them; in full, or a prefix with `*`. */
      private: string[];
      /** @description `null` until they are set for the first time. */
      created_at: string | null;
      updated_at: string | null;
      /** @description 0 until they are set for the first time. */
      version: number;
    };
    UpdateSettings: {
      /** @description `null`: nothing is demanded. */
      change_reason?: components['schemas']['ChangeReasonView'] | null;
      /** @description Keys, or prefixes of keys followed by `*`. The whole set; `private:db_password` is the same key. */
      private?: string[];
    };
    CreateUser: {
      is_admin?: boolean;
      /** @description Only root makes root. */
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
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
      /** @description Shown in this answer and never again. */
      api_key: string;
    };
    UserView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
    };
    UpdateUser: {
      is_admin?: boolean;
      /** @description Only root makes root. */
      is_root?: boolean;
      /** @description `<collection>:write`, `*:write`; a variable key, or a prefix of keys followed by `*`. */
      roles?: string[];
      /** @description Unique in the project. */
      username?: string;
    };
    NewApiKeyBody: {
      /** @description When the key expires, in UTC. If omitted or `null`, the key never expires; for a caller who is not an admin, it expires with the API key of the request. A later time is rejected with `400`. */
      expires_at?: string | null;
    };
    ApiKeyView: {
      /**
       * Format: int64
       * @description Where it stands in the list.
       */
      id: number;
      /** @description The part of the key between the underscores. */
      key_id: string;
      /** @enum {string} */
      state: 'in use' | 'expired' | 'revoked';
      created_at: string;
      /** @description When it ends by itself. */
      expires_at: string | null;
      /** @description When it was ended. */
      revoked_at: string | null;
    };
    CallerView: {
      /** Format: int64 */
      user_id: number;
      username: string;
      /**
       * Format: uuid
       * @description The project of the request.
       */
      project_id: string;
      project_name: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
      /** @description The id of the API key of the request; `null` with a token of Keystone. */
      key_id: string | null;
      /** @description When this key expires, in UTC; `null`: never. */
      key_expires_at: string | null;
    };
    VariablesView: {
      variables: {
        [key: string]: unknown;
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
    CreateCloud: {
      /** @description Unique in the project. */
      name: string;
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
    };
    CloudView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      note: string | null;
    };
    UpdateCloud: {
      /** @description Unique in the project. */
      name?: string;
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
    };
    SetOutcomeView: {
      /** @description How many were meant. */
      matched: number;
      updated: number;
      /** @description How many had these values already: nothing happened to them. */
      unchanged: number;
    };
    TriedSetView: {
      /** @description How many were meant. */
      matched: number;
      updated: number;
      /** @description How many had these values already: nothing happened to them. */
      unchanged: number;
      dry_run: boolean;
      impact: components['schemas']['PreviewedImpactView'];
    };
    SetVariables: {
      /** @description Which are meant; otherwise those that the filters in the query find. */
      ids?: number[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that each has. */
      variables: {
        [key: string]: unknown;
      };
    };
    CreateRegion: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
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
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      /** Format: int64 */
      cloud_id: number | null;
      /** @description The region's cells, in brief, by name. */
      cells: components['schemas']['RegionCellView'][];
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** @description The resolved variables; with `resolved-values=false` the own ones. */
      variables: {
        [key: string]: unknown;
      };
    };
    UpdateRegion: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
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
      /** @description Cells that move here together with their devices. A cell that is not named stays where it is. */
      cells?: (
        | number
        | {
            id?: number;
          }
      )[];
    };
    CreateCell: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
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
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the region. */
      name: string;
      /** Format: int64 */
      region_id: number;
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** @description The resolved variables; with `resolved-values=false` the own ones. */
      variables: {
        [key: string]: unknown;
      };
      /** @description Where the variables come from that the query parameter `explain` names; else absent. */
      explain?: {
        [key: string]: components['schemas']['ExplanationView'];
      };
    };
    UpdateCell: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description Unique in the region. */
      name?: string;
      /**
       * Format: int64
       * @description The cell's region, as it is: a cell is moved through `PUT /v1/regions/{id}`.
       */
      region_id?: number;
    };
    LevelView: {
      /** @description The username as it was. */
      set_by: string;
      set_at: string;
      reason: string | null;
      /**
       * Format: int64
       * @description The change record that set it.
       */
      change_id: number;
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
      /** @description Whether a narrower level hides it. */
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
    CreateLabel: {
      label: string;
      /** @description Keys and values, laid over those that are there. */
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
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description The name. `key:value` is a convention, not a rule. */
      label: string;
      /** @description The resolved variables; with `resolved-values=false` the own ones. */
      variables: {
        [key: string]: unknown;
      };
    };
    UpdateLabel: {
      label?: string;
      /** @description Keys and values, laid over those that are there. */
      variables?: {
        [key: string]: unknown;
      };
    };
    HostView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique among the devices of the project. */
      name: string;
      /** Format: int64 */
      region_id: number;
      /** Format: int64 */
      cell_id: number | null;
      /** Format: int64 */
      parent_id: number | null;
      /** @description The address on the control plane. */
      ip_address: string;
      device_type: string;
      active: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** Format: int64 */
      access_secret_id: number | null;
      /** @description The resolved variables; with `resolved-values=false` the own ones. */
      variables: {
        [key: string]: unknown;
      };
      /** @description `up` leads to the parent device, else the cell, else the region. */
      links: components['schemas']['LinkView'][];
      /** @description Where the variables come from that the query parameter `explain` names; else absent. */
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
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique among the devices of the project. */
      name: string;
      /** Format: int64 */
      region_id: number;
      /** Format: int64 */
      cell_id: number | null;
      /** Format: int64 */
      parent_id: number | null;
      /** @description The address on the control plane. */
      ip_address: string;
      device_type: string;
      active: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** Format: int64 */
      access_secret_id: number | null;
      /** @description The resolved variables; with `resolved-values=false` the own ones. */
      variables: {
        [key: string]: unknown;
      };
      /** @description `up` leads to the parent device, else the cell, else the region. */
      links: components['schemas']['LinkView'][];
      /** @description Where the variables come from that the query parameter `explain` names; else absent. */
      explain?: {
        [key: string]: components['schemas']['ExplanationView'];
      };
      model_name: string | null;
      os_version: string | null;
      /** @description Any JSON value, or `null`. */
      vlans: (unknown[] | Record<string, never> | string | number | boolean) | null;
    };
    CreateHost: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
      variables?: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description The device's cell, which belongs to its region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The device that this one hangs below: of the same project, neither itself nor below itself.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The secret that gives access to the device.
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
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
      variables?: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description The device's cell, which belongs to its region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The device that this one hangs below: of the same project, neither itself nor below itself.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The secret that gives access to the device.
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
    CreateNetworkDevice: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
      variables?: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description The device's cell, which belongs to its region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The device that this one hangs below: of the same project, neither itself nor below itself.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The secret that gives access to the device.
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
      /** @description The version of its operating system. */
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: (unknown[] | Record<string, never> | string | number | boolean) | null;
    };
    UpdateNetworkDevice: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
      variables?: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description The device's cell, which belongs to its region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The device that this one hangs below: of the same project, neither itself nor below itself.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The secret that gives access to the device.
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
      /** @description The version of its operating system. */
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: (unknown[] | Record<string, never> | string | number | boolean) | null;
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
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
    };
    OpenAccessSecretView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Shown here alone, and as it is by now: no record keeps it, and so `at` does not show it. */
      cert?: string;
    };
    UpdateAccessSecret: {
      /** @description Encrypted at rest. */
      cert?: string;
    };
    PastImpactView: {
      /** @description A page of the devices whose resolved variables the change altered, by id. */
      items: components['schemas']['AffectedDeviceView'][];
      /** @description `next`, as long as there may be more: a page can be short, even empty, before the end. */
      links: components['schemas']['LinkView'][];
    };
    FollowedChangeView: {
      /** Format: uuid */
      project_id: string;
      actor: components['schemas']['ActorView'];
      request_id: string;
      reason: string | null;
      /** @description `null` in records from before it was counted; and for those who do not see everything, from before something became private. */
      impact: components['schemas']['ImpactCountView'] | null;
      /**
       * Format: int64
       * @description How many resources it touched, of those that the caller may see.
       */
      objects_total: number;
      /** @description In the order in which they were touched: the first 1,000 of a record by itself, the first 100 in lists and in the feed. All are at `/v1/changes/{id}/objects`. */
      objects: components['schemas']['ChangedObjectView'][];
      /** Format: int64 */
      id: number;
      created_at: string;
      /** @description With `resolved=true`. */
      resolved?: components['schemas']['PastImpactView'];
    };
    FeedView: {
      /** @description In an order in which what follows from another follows it. */
      changes: components['schemas']['FollowedChangeView'][];
      /** @description Where to go on: for `after`. */
      cursor: string;
    };
    ChangeRecordView: {
      /** Format: uuid */
      project_id: string;
      actor: components['schemas']['ActorView'];
      request_id: string;
      reason: string | null;
      /** @description `null` in records from before it was counted; and for those who do not see everything, from before something became private. */
      impact: components['schemas']['ImpactCountView'] | null;
      /**
       * Format: int64
       * @description How many resources it touched, of those that the caller may see.
       */
      objects_total: number;
      /** @description In the order in which they were touched: the first 1,000 of a record by itself, the first 100 in lists and in the feed. All are at `/v1/changes/{id}/objects`. */
      objects: components['schemas']['ChangedObjectView'][];
      /** Format: int64 */
      id: number;
      created_at: string;
    };
    RevertChange: {
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
    };
    VariablePlaceView: {
      /** @description The username as it was. */
      set_by: string;
      set_at: string;
      reason: string | null;
      /**
       * Format: int64
       * @description The change record that set it.
       */
      change_id: number;
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
      /** @description `owner` leads to what carries the variable. */
      links: components['schemas']['LinkView'][];
    };
    VariableKeyView: {
      key: string;
      /** Format: uuid */
      project_id: string;
      /** @description How many devices resolve the key to a value, wherever it is set. */
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
    CreateVariableDefinition: {
      /** @description A key, or a prefix of keys followed by `*`. Unique in the project. */
      key: string;
      /** @description What the variable is for. */
      description?: string | null;
      /** @description A JSON Schema of the draft 2020-12, or of draft-07 where `$schema` says so; at most 64 KiB and 64 levels. */
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
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description A key, or a prefix of keys followed by `*`. Unique in the project. */
      key: string;
      description: string | null;
      /** @description A JSON Schema that every value of these keys has to keep. */
      schema:
        | {
            [key: string]: unknown;
          }
        | boolean;
    };
    UpdateVariableDefinition: {
      /** @description A key, or a prefix of keys followed by `*`. Unique in the project. */
      key?: string;
      /** @description What the variable is for. */
      description?: string | null;
      /** @description A JSON Schema of the draft 2020-12, or of draft-07 where `$schema` says so; at most 64 KiB and 64 levels. */
      schema?:
        | {
            [key: string]: unknown;
          }
        | boolean;
    };
    ViolationView: {
      /** @description What sets the variable. */
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      key: string;
      /** @description The value as it is set there. */
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
      /** @description Where in the value the fault is: a JSON pointer. */
      path: string;
      message: string;
    };
    ExpectationView: {
      /** @description Filters by resolved variables; all must hold. */
      vars?: string;
      /** @description The key whose resolved value is looked at … */
      key?: string;
      /** @description … and what it must keep. A key that is not set does not. */
      schema?:
        | {
            [key: string]: unknown;
          }
        | boolean;
      /** @description What a remediation sets, where it does not follow from the rest. */
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
      /** @description What it is for. */
      description?: string | null;
      /**
       * @description `null`: devices of every kind.
       * @enum {string|null}
       */
      kind?: 'host' | 'network-device' | null;
      /** @description Which devices it is about, as filters by resolved variables; `null`: all. */
      vars?: string | null;
      /** @description What must hold of them: `vars`, or `key` and `schema`. */
      expectation: components['schemas']['ExpectationView'];
    };
    AuditView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without zone, six fractional digits. */
      created_at: string;
      /** @description `null` until the first update. */
      updated_at: string | null;
      /** @description Rises with every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      description: string | null;
      /**
       * @description `null`: devices of every kind.
       * @enum {string|null}
       */
      kind: 'host' | 'network-device' | null;
      /** @description Which devices it is about, as filters by resolved variables; `null`: all. */
      vars: string | null;
      /** @description What must hold of them. */
      expectation: components['schemas']['ExpectationView'];
      /** @description The variables that it names. */
      keys: string[];
    };
    UpdateAudit: {
      /** @description Unique in the project. */
      name?: string;
      /** @description What it is for. */
      description?: string | null;
      /**
       * @description `null`: devices of every kind.
       * @enum {string|null}
       */
      kind?: 'host' | 'network-device' | null;
      /** @description Which devices it is about, as filters by resolved variables; `null`: all. */
      vars?: string | null;
      /** @description What must hold of them: `vars`, or `key` and `schema`. */
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
      /** @description The variable that is not as expected. */
      key: string;
      /** @description What the device resolves it to; absent where it is not set. */
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
      /** @description Where in the value the fault is, as a JSON pointer; where a schema says so. */
      path?: string;
      message: string;
    };
    AuditResultView: {
      audit: components['schemas']['RunAuditView'];
      /** @description How many devices it is about. */
      devices: number;
      passed: number;
      failed: number;
      /** @description A page of those that fail, in the order of their ids; shorter where values are long. */
      items: components['schemas']['FailureView'][];
      /** @description `self`, and `next` where there are more; to be sent by POST. */
      links: components['schemas']['LinkView'][];
    };
    LevelReference: {
      /** @enum {string} */
      kind: 'region' | 'cell' | 'label' | 'host' | 'network-device';
      /** Format: int64 */
      id: number;
    };
    Remediation: {
      /** @description Where the value is set. */
      level: components['schemas']['LevelReference'];
      /** @description What is set; without it, what the audit expects. */
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
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
    };
    CloudLine: {
      /** @description Unique in the project. */
      name?: string;
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @enum {string} */
      kind: 'cloud';
    };
    LabelLine: {
      label?: string;
      /** @description Keys and values, laid over those that are there. */
      variables?: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      kind: 'label';
    };
    RegionLine: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description Unique in the project. */
      name?: string;
      /** @enum {string} */
      kind: 'region';
      /** @description The name of the cloud that the region belongs to. */
      cloud?: string | null;
    };
    CellLine: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
      variables?: {
        [key: string]: unknown;
      };
      /** @description Unique in the region. */
      name?: string;
      /** @enum {string} */
      kind: 'cell';
      /** @description The name of the cell's region. */
      region?: string;
    };
    HostLine: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
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
      /** @description The name of the device's region. */
      region?: string;
      /** @description The name of the device's cell, which is one of its region. */
      cell?: string | null;
      /** @description The name of the device that this one hangs below. Unique in the project. */
      parent?: string | null;
    };
    NetworkDeviceLine: {
      /** @description The whole set: names joined by `,`, or an array of names. New names become labels. */
      labels?: string | string[];
      /** @description Note used for governance; the reason of the change where `X-Change-Reason` gives none. */
      note?: string | null;
      /** @description Keys and values, laid over those that are there. */
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
      /** @description The version of its operating system. */
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: (unknown[] | Record<string, never> | string | number | boolean) | null;
      /** @enum {string} */
      kind: 'network-device';
      /** @description The name of the device's region. */
      region?: string;
      /** @description The name of the device's cell, which is one of its region. */
      cell?: string | null;
      /** @description The name of the device that this one hangs below. Unique in the project. */
      parent?: string | null;
    };
    TargetView: {
      /** @description One for each port. */
      targets: string[];
      labels: {
        [key: string]: string;
      };
    };
    ClassifiedNodeView: {
      /** @description The variable `puppet_classes`: an array of names, or an object of names with parameters. */
      classes:
        | string[]
        | {
            [key: string]: Record<string, never> | null;
          };
      /** @description All other variables, but for `trusted`, `facts` and `server_facts`: these are Puppet’s own. */
      parameters: {
        [key: string]: unknown;
      };
      /** @description The variable `puppet_environment`; left out where it is not set. */
      environment?: string;
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
  Projects_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
        fields?: ('id' | 'uuid' | 'project_id' | 'name' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'uuid' | 'project_id' | 'name' | 'created_at' | 'updated_at' | 'version')[];
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectView'][];
        };
      };
    };
  };
  Projects_create: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateProject'];
      };
    };
    responses: {
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['ProjectView'];
        };
      };
    };
  };
  Projects_delete: {
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
      /** @description The settings, or what holds without any. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['ProjectSettingsView'];
        };
      };
    };
  };
  Users_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
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
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose username begins so. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserView'][];
        };
      };
    };
  };
  Users_create: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateUser'] | components['schemas']['CreateUser'][];
      };
    };
    responses: {
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['UserView'];
        };
      };
    };
  };
  Users_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
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
      query?: never;
      header?: never;
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
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
        fields?: ('id' | 'key_id' | 'state' | 'created_at' | 'expires_at' | 'revoked_at')[];
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyView'][];
        };
      };
    };
  };
  UserKeys_add: {
    parameters: {
      query?: never;
      header?: never;
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
      query?: never;
      header?: never;
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
      /** @description Ended. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
        at?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
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
      query?: never;
      header?: never;
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values; or one pair as `{"key": …, "value": …}`. */
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
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  UserVariables_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the user. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`; or an object or an array of keys. A key that is not set is no error. */
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
      /** @description They are not set, by now. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      /** @description It is set. */
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
      query?: never;
      header?: never;
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
      /** @description It is set. */
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
  UserVariable_delete: {
    parameters: {
      query?: never;
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
      /** @description It is not set, by now. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  Clouds_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
        fields?: ('id' | 'uuid' | 'project_id' | 'name' | 'note' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          'id' | 'uuid' | 'project_id' | 'name' | 'note' | 'created_at' | 'updated_at' | 'version'
        )[];
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudView'][];
        };
      };
    };
  };
  Clouds_create: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCloud'] | components['schemas']['CreateCloud'][];
      };
    };
    responses: {
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['CloudView'];
        };
      };
    };
  };
  Clouds_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the cloud. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
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
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description In this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many were changed, in one change; with `dry_run=true` what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'];
        };
      };
    };
  };
  Regions_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description The id of the last item seen. */
        marker?: number;
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
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description In this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegionView'][];
        };
      };
    };
  };
  Regions_create: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRegion'] | components['schemas']['CreateRegion'][];
      };
    };
    responses: {
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['RegionView'];
        };
      };
    };
  };
  Regions_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
        at?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
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
      query?: never;
      header?: never;
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values; or one pair as `{"key": …, "value": …}`. */
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
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  RegionVariables_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the region. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`; or an object or an array of keys. A key that is not set is no error. */
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
      /** @description They are not set, by now. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      /** @description It is set. */
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
      query?: never;
      header?: never;
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
      /** @description It is set. */
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
  RegionVariable_delete: {
    parameters: {
      query?: never;
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
      /** @description It is not set, by now. */
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
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description In this region. */
        region_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description In a region of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many were changed, in one change; with `dry_run=true` what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'];
        };
      };
    };
  };
  Cells_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description The id of the last item seen. */
        marker?: number;
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
        /** @description Keys, joined by `,`: each item shows in `explain` where they come from. */
        explain?: string[];
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description In this region. */
        region_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description In a region of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CellView'][];
        };
      };
    };
  };
  Cells_create: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCell'] | components['schemas']['CreateCell'][];
      };
    };
    responses: {
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['CellView'];
        };
      };
    };
  };
  Cells_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
        at?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
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
      query?: never;
      header?: never;
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values; or one pair as `{"key": …, "value": …}`. */
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
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  CellVariables_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the cell. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`; or an object or an array of keys. A key that is not set is no error. */
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
      /** @description They are not set, by now. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
        at?: string;
        /** @description Only this key. May be given several times, for at most 50 keys. */
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
      /** @description The variables, explained. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      /** @description It is set. */
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
      query?: never;
      header?: never;
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
      /** @description It is set. */
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
  CellVariable_delete: {
    parameters: {
      query?: never;
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
      /** @description It is not set, by now. */
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
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose label begins so. */
        name_prefix?: string;
        /** @description The exact name. */
        label?: string;
        /** @description The exact name: the same as `label`. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many were changed, in one change; with `dry_run=true` what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'];
        };
      };
    };
  };
  Labels_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
        fields?: (
          'id' | 'uuid' | 'project_id' | 'label' | 'created_at' | 'updated_at' | 'version' | 'variables'
        )[];
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'uuid' | 'project_id' | 'label' | 'created_at' | 'updated_at' | 'version')[];
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose label begins so. */
        name_prefix?: string;
        /** @description The exact name. */
        label?: string;
        /** @description The exact name: the same as `label`. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelView'][];
        };
      };
    };
  };
  Labels_create: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateLabel'] | components['schemas']['CreateLabel'][];
      };
    };
    responses: {
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['LabelView'];
        };
      };
    };
  };
  Labels_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
        at?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
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
      query?: never;
      header?: never;
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values; or one pair as `{"key": …, "value": …}`. */
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
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  LabelVariables_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the label. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`; or an object or an array of keys. A key that is not set is no error. */
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
      /** @description They are not set, by now. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      /** @description It is set. */
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
      query?: never;
      header?: never;
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
      /** @description It is set. */
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
  LabelVariable_delete: {
    parameters: {
      query?: never;
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
      /** @description It is not set, by now. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  AllDevices_list: {
    parameters: {
      query?: {
        /** @description This device. */
        id?: number;
        /** @description In this region. */
        region_id?: number;
        /** @description In this cell. */
        cell_id?: number;
        /** @description Directly below this device. */
        parent_id?: number;
        /** @description Active or not. */
        active?: boolean;
        /** @description Whether the descendants of the matched devices are included. */
        descendants?: boolean;
        /** @description How many at most. */
        limit?: number;
        /** @description The id of the last item seen. */
        marker?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of devices, kind by kind, in the order of their ids. */
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
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description In this region. */
        region_id?: number;
        /** @description In this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR form that the address lies in. */
        ip?: string;
        /** @description The exact type. */
        device_type?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description Directly below this device. */
        parent_id?: number;
        /** @description Active or not. */
        active?: boolean;
        /** @description In a region of this cloud. */
        cloud_id?: number;
        /** @description Whether the descendants of the matched devices are included, through devices of every kind. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many were changed, in one change; with `dry_run=true` what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'];
        };
      };
    };
  };
  Hosts_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description The id of the last item seen. */
        marker?: number;
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
        /** @description Keys, joined by `,`: each item shows in `explain` where they come from. */
        explain?: string[];
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description In this region. */
        region_id?: number;
        /** @description In this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR form that the address lies in. */
        ip?: string;
        /** @description The exact type. */
        device_type?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description Directly below this device. */
        parent_id?: number;
        /** @description Active or not. */
        active?: boolean;
        /** @description In a region of this cloud. */
        cloud_id?: number;
        /** @description Whether the descendants of the matched devices are included, through devices of every kind. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostView'][];
        };
      };
    };
  };
  Hosts_create: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateHost'] | components['schemas']['CreateHost'][];
      };
    };
    responses: {
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['HostView'];
        };
      };
    };
  };
  Hosts_delete: {
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['LabelSet'];
        };
      };
    };
  };
  HostLabels_remove: {
    parameters: {
      query?: never;
      header?: never;
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
      /** @description The device does not have them, by now. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
        at?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
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
      query?: never;
      header?: never;
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values; or one pair as `{"key": …, "value": …}`. */
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
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  HostVariables_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the host. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`; or an object or an array of keys. A key that is not set is no error. */
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
      /** @description They are not set, by now. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
        at?: string;
        /** @description Only this key. May be given several times, for at most 50 keys. */
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
      /** @description The variables, explained. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      /** @description It is set. */
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
      query?: never;
      header?: never;
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
      /** @description It is set. */
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
  HostVariable_delete: {
    parameters: {
      query?: never;
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
      /** @description It is not set, by now. */
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
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description In this region. */
        region_id?: number;
        /** @description In this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR form that the address lies in. */
        ip?: string;
        /** @description The exact type. */
        device_type?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description Directly below this device. */
        parent_id?: number;
        /** @description Active or not. */
        active?: boolean;
        /** @description In a region of this cloud. */
        cloud_id?: number;
        /** @description Whether the descendants of the matched devices are included, through devices of every kind. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many were changed, in one change; with `dry_run=true` what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SetOutcomeView'];
        };
      };
    };
  };
  NetworkDevices_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description The id of the last item seen. */
        marker?: number;
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
        /** @description Keys, joined by `,`: each item shows in `explain` where they come from. */
        explain?: string[];
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description In this region. */
        region_id?: number;
        /** @description In this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR form that the address lies in. */
        ip?: string;
        /** @description The exact type. */
        device_type?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description Directly below this device. */
        parent_id?: number;
        /** @description Active or not. */
        active?: boolean;
        /** @description In a region of this cloud. */
        cloud_id?: number;
        /** @description Whether the descendants of the matched devices are included, through devices of every kind. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkDeviceView'][];
        };
      };
    };
  };
  NetworkDevices_create: {
    parameters: {
      query?: never;
      header?: never;
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
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['NetworkDeviceView'];
        };
      };
    };
  };
  NetworkDevices_delete: {
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['LabelSet'];
        };
      };
    };
  };
  NetworkDeviceLabels_remove: {
    parameters: {
      query?: never;
      header?: never;
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
      /** @description The device does not have them, by now. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
        at?: string;
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
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
      query?: never;
      header?: never;
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values; or one pair as `{"key": …, "value": …}`. */
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
          'application/json': components['schemas']['VariablesView'];
        };
      };
    };
  };
  NetworkDeviceVariables_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the network device. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`; or an object or an array of keys. A key that is not set is no error. */
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
      /** @description They are not set, by now. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
        at?: string;
        /** @description Only this key. May be given several times, for at most 50 keys. */
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
      /** @description The variables, explained. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      /** @description It is set. */
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
      query?: never;
      header?: never;
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
      /** @description It is set. */
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
  NetworkDeviceVariable_delete: {
    parameters: {
      query?: never;
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
      /** @description It is not set, by now. */
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
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
        fields?: ('id' | 'uuid' | 'project_id' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'uuid' | 'project_id' | 'created_at' | 'updated_at' | 'version')[];
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessSecretView'][];
        };
      };
    };
  };
  AccessSecrets_create: {
    parameters: {
      query?: never;
      header?: never;
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
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['AccessSecretView'];
        };
      };
    };
  };
  AccessSecrets_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the access secret. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
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
        /** @description The cursor of the answer before; `latest`: what comes from now on. Without it, from the beginning. */
        after?: string;
        /** @description For how many seconds at most to wait where there is nothing yet. */
        wait?: number;
        /** @description How many changes at most. */
        limit?: number;
        /** @description Whether each change tells the devices whose resolved variables it altered. */
        resolved?: boolean;
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The next changes; none where there is nothing yet. */
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
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
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
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description As a link of this list gave it. */
        marker?: string;
        /** @description Resources of this kind. */
        kind?: string;
        /** @description What happened to them: `create`, `update` or `delete`. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
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
      query?: never;
      header?: never;
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
      /** @description The record of the change that undoes it. */
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
        /** @description How many at most. */
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
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  AccessSecretChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  CloudChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  RegionChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  CellChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  LabelChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  UserChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  HostChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  NetworkDeviceChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  VariableDefinitionChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  AuditChanges_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Touching this resource: a collection or kind, and an id. */
        resource?: string;
        /** @description Touching resources of this kind; none of a kind that the caller may not read. */
        kind?: string;
        /** @description Touching the resource with this id; together with `kind`. */
        object_id?: number;
        /** @description Touching the variable of this key. */
        key?: string;
        /** @description Made by the user of this name. */
        actor?: string;
        /** @description Made by this request. */
        request_id?: string;
        /** @description With this text in the reason, whatever its case. */
        reason?: string;
        /** @description Made at this time or later, UTC. */
        since?: string;
        /** @description Made before this time, UTC. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordView'][];
        };
      };
    };
  };
  VariablePlaces_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The key, the kind and the id of the last item seen, joined by `/`. */
        marker?: string;
        /** @description This key; or all that begin so, where a `*` follows. */
        key?: string;
        /** @description Set at levels of this kind. */
        kind?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablePlaceView'][];
        };
      };
    };
  };
  VariableKeys_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
        fields?: (
          'key' | 'project_id' | 'regions' | 'cells' | 'labels' | 'hosts' | 'network-devices' | 'resolved_by'
        )[];
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The key and the project_id of the last item seen, joined by `/`. */
        marker?: string;
        /** @description This key; or all that begin so, where a `*` follows. */
        key?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableKeyView'][];
        };
      };
    };
  };
  VariableDefinitions_list: {
    parameters: {
      query?: {
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          'id' | 'uuid' | 'project_id' | 'key' | 'description' | 'created_at' | 'updated_at' | 'version'
        )[];
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose key begins so. */
        name_prefix?: string;
        /** @description Of this very key, or this prefix with its `*`. */
        key?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableDefinitionView'][];
        };
      };
    };
  };
  VariableDefinitions_create: {
    parameters: {
      query?: never;
      header?: never;
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
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['VariableDefinitionView'];
        };
      };
    };
  };
  VariableDefinitions_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the variable definition. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
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
        /** @description Where the page begins, as the link `next` of the page before it has it. */
        marker?: string;
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
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
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. In the order of keys, kinds and ids. It may have fewer items than its limit, or none, and yet a `next`. */
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
        /** @description How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description Members to show, joined by `,`. What is not asked for is not computed. */
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
        /** @description Only of this project. A root user sees every project without it. */
        project_id?: string;
        /** @description The id of the last item seen. */
        marker?: number;
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
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
        /** @description About this kind of device alone. */
        kind?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array with links in the `Link` header; with `Accept: application/vnd.muster.page+json` a page object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditView'][];
        };
      };
    };
  };
  Audits_create: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAudit'] | components['schemas']['CreateAudit'][];
      };
    };
    responses: {
      /** @description Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`. */
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
        /** @description As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`. */
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
      query?: never;
      header?: never;
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
          'application/json': components['schemas']['AuditView'];
        };
      };
    };
  };
  Audits_delete: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the audit. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
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
        /** @description How many of those that fail at most. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description The id of the audit. */
        id: number;
      };
      cookie?: never;
    };
    /** @description None, or `{}`. */
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description What came of it. */
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
      query?: never;
      header?: never;
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
      /** @description The own variables of the level. */
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
  Export_export: {
    parameters: {
      query?: {
        /** @description Only of this kind. May be given several times. */
        kind?: ('cloud' | 'label' | 'region' | 'cell' | 'host' | 'network-device')[];
        /** @description How it is written: lines of JSON, as `POST /v1/import` takes them, or a table of hosts. Without it as `Accept` says: `text/csv` asks for the table. */
        format?: 'ndjson' | 'csv';
        /** @description Whether `variables` are resolved through the hierarchy, or the own ones alone. */
        'resolved-values'?: boolean;
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description In this region. */
        region_id?: number;
        /** @description In this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR form that the address lies in. */
        ip?: string;
        /** @description The exact type. */
        device_type?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description Directly below this device. */
        parent_id?: number;
        /** @description Active or not. */
        active?: boolean;
        /** @description In a region of this cloud. */
        cloud_id?: number;
        /** @description Whether the descendants of the matched devices are included, through devices of every kind. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A line for each resource; what is referred to comes first. A body that is cut off is not complete, and does not end as a chunked body does. */
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
        /** @description `all`: if a line cannot be imported, none is. `partial`: those that can be are imported, and the answer names the others. */
        mode?: 'all' | 'partial';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description A JSON object in each line, in any order; or a table of hosts. Members that a line does not name stay as they are. `Content-Encoding` may be `gzip`, `deflate` or `br`. */
    requestBody: {
      content: {
        'application/x-ndjson': string;
        'text/csv': string;
      };
    };
    responses: {
      /** @description What the lines came to. With `Accept: application/x-ndjson` a line for each line of the body, in its order, and this one at the end. A trial has `dry_run` and `impact`, too. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                /** @description Lines of something new. */
                created: number;
                /** @description Lines that altered what was there. */
                updated: number;
                /** @description Lines that say what was so already. */
                unchanged: number;
                /** @description Lines that were not imported. */
                failed: number;
                /** @description The first 1000 of them, in the order of the lines. */
                errors: {
                  /** @description Of the body, from 1 on. */
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
              }
            | {
                dry_run: boolean;
                /** @description Lines of something new. */
                created: number;
                /** @description Lines that altered what was there. */
                updated: number;
                /** @description Lines that say what was so already. */
                unchanged: number;
                /** @description Lines that were not imported. */
                failed: number;
                /** @description The first 1000 of them, in the order of the lines. */
                errors: {
                  /** @description Of the body, from 1 on. */
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
        /** @description Only the variables of the host of this name, as `--host` prints them: an empty object if it is not in the inventory. */
        host?: string;
        /** @description Whether hosts that are not active are in it, too. */
        inactive?: boolean;
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description In this region. */
        region_id?: number;
        /** @description In this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR form that the address lies in. */
        ip?: string;
        /** @description The exact type. */
        device_type?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description Directly below this device. */
        parent_id?: number;
        /** @description Active or not. */
        active?: boolean;
        /** @description In a region of this cloud. */
        cloud_id?: number;
        /** @description Whether the descendants of the matched devices are included, through devices of every kind. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What an inventory script prints for `--list`: each host with its resolved variables and `ansible_host`, and the groups of regions, cells and labels. */
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
        /** @description The port of hosts whose variables tell none. Without it they are left out. */
        port?: number;
        /** @description The key of the variable that tells the port, or an array of ports. */
        port_variable?: string;
        /** @description The key of the variable that tells the scheme: `http` or `https`. */
        scheme_variable?: string;
        /** @description The key of the variable that tells the path of the metrics. */
        path_variable?: string;
        /** @description The key of the variable that tells whether the host is scraped: `false` leaves it out. */
        scrape_variable?: string;
        /** @description The key of a variable that becomes the label `__meta_muster_variable_<key>`. May be given several times. */
        variable?: string[];
        /** @description The one with this UUID, with or without dashes, in any case. */
        uuid?: string;
        /** @description Those whose name begins so. */
        name_prefix?: string;
        /** @description In this region. */
        region_id?: number;
        /** @description In this cell. */
        cell_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description An IP address, or a network in CIDR form that the address lies in. */
        ip?: string;
        /** @description The exact type. */
        device_type?: string;
        /** @description The name of a label that the resource carries. May be given several times: all must hold. */
        label?: string[];
        /** @description Directly below this device. */
        parent_id?: number;
        /** @description Active or not. */
        active?: boolean;
        /** @description In a region of this cloud. */
        cloud_id?: number;
        /** @description Whether the descendants of the matched devices are included, through devices of every kind. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The targets, as the HTTP service discovery of Prometheus reads them. Active hosts alone, unless `active` says otherwise. */
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
        /** @description The name of the host: the id of the minion. */
        host: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. A host that is not there has none: Salt takes an error for nothing, too. */
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
        /** @description The key of the variable with the environment. */
        environment_variable?: string;
        /** @description The key of the variable with the classes. */
        classes_variable?: string;
        /** @description The name of the host: that of the node. */
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
